package fortisim

import (
	"fmt"
	"net/http"
)

// htmlAnswer has the web server's own form of errors (R: 401 and 403 bodies;
// 429 by analogy, I).
func (d *Device) htmlAnswer(status int) *answer {
	title := http.StatusText(status)
	body := fmt.Sprintf("<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\">\n<html><head>\n<title>%d %s</title>\n</head><body>\n<h1>%s</h1>\n</body></html>\n", status, title, title)
	a := &answer{status: status, header: map[string]string{"Content-Type": "text/html"}, body: []byte(body)}
	if status == http.StatusUnauthorized {
		// Recent releases name the reason (R).
		a.header["Www-Authenticate"] = `error="invalid_token"`
	}
	return a
}

// loginPage is what the GUI answers to a path that is not the API: 200, and a
// jump to the log-in page (U).
func loginPage() *answer {
	return &answer{status: http.StatusOK, header: map[string]string{"Content-Type": "text/html"},
		body: []byte("<html><body><script language=\"javascript\">\ndocument.location=\"/login?redir=\" + encodeURIComponent(document.location.pathname);\n</script></body></html>\n")}
}
