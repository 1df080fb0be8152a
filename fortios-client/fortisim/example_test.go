package fortisim_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// A device is an http.Handler; Listen gives it an address and a certificate.
func Example() {
	device, err := fortisim.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	server, err := device.Listen(context.Background(), "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	// Point a client at server.Host, server.Port with server.Token, and pin
	// the key of the certificate to server.PinSHA256.
	fmt.Println(device.Serial(), len(device.Rows("root", "firewall/policy")), "policies")
	// Output: FGVMSIM000000001 6 policies
}

// A test changes the device behind the client's back and looks into it.
func ExampleDevice_Put() {
	device, err := fortisim.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	err = device.Put("root", "firewall/address", "srv-new", map[string]any{"subnet": "198.51.100.77/32"})
	fmt.Println(err)
	row, _ := device.Get("root", "firewall/address", "srv-new")
	fmt.Println(row["subnet"])
	fmt.Println(device.Delete("root", "firewall/address", "srv-web"))
	// Output:
	// <nil>
	// 198.51.100.77 255.255.255.255
	// fortisim: firewall/address: HTTP 500, error -23: "The entry is used by other 2 entries\nCommand fail. Return code -23\n"
}

// The second write of a policy takes effect, and its answer never comes.
func ExampleDevice_Inject() {
	device, err := fortisim.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	_, err = device.Inject(fortisim.Rule{
		Match: fortisim.Match{Method: "PUT", Path: "cmdb/firewall/policy", Nth: 2},
		Do:    fortisim.ResetAfter{},
	})
	fmt.Println(err)
	// Output: <nil>
}

// Without a network, a request can be given to the device directly.
func ExampleDevice_ServeHTTP() {
	device, err := fortisim.New(&fortisim.Options{Hostname: "branch-fw"})
	if err != nil {
		log.Fatal(err)
	}
	request := httptest.NewRequest("GET", "/api/v2/cmdb/system/global?format=hostname", strings.NewReader(""))
	request.Header.Set("Authorization", "Bearer "+device.Token())
	recorder := httptest.NewRecorder()
	device.ServeHTTP(recorder, request)
	fmt.Println(recorder.Code, strings.Contains(recorder.Body.String(), `"results":{"hostname":"branch-fw"}`))
	// Output: 200 true
}
