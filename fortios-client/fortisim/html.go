package fortisim

import (
	"fmt"
	"net/http"
)

// htmlAnswer has the web server's own form of errors (R: 401 and 403 bodies;
// 429 by analogy, I).
func (d *Device) htmlAnswer(status int) *answer {
	if status == http.StatusUnauthorized && !atLeast(d.options.Version, 7, 0, 0) {
		return oldUnauthorized()
	}
	title := http.StatusText(status)
	body := fmt.Sprintf("<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\">\n<html><head>\n<title>%d %s</title>\n</head><body>\n<h1>%s</h1>\n</body></html>\n", status, title, title)
	a := &answer{status: status, header: map[string]string{"Content-Type": "text/html"}, body: []byte(body)}
	if status == http.StatusUnauthorized {
		// Recent releases name the reason (R).
		a.header["Www-Authenticate"] = `error="invalid_token"`
	}
	return a
}

// oldUnauthorized is the page of 6.x, without a reason in the header (R).
func oldUnauthorized() *answer {
	const title = "Authorization Required"
	body := "<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\">\n<HTML><HEAD>\n<TITLE>401 " + title + "</TITLE>\n</HEAD><BODY>\n" + title + "\n</BODY></HTML>\n"
	return &answer{status: http.StatusUnauthorized, header: map[string]string{"Content-Type": "text/html"}, body: []byte(body)}
}

// loginPage is what the GUI answers to a path that is not the API: 200, and a
// jump to the log-in page (U).
func loginPage() *answer {
	return &answer{status: http.StatusOK, header: map[string]string{"Content-Type": "text/html"},
		body: []byte("<html><body><script language=\"javascript\">\ndocument.location=\"/login?redir=\" + encodeURIComponent(document.location.pathname);\n</script></body></html>\n")}
}
