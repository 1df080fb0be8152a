package catalog_test

import (
	"errors"
	"fmt"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

func ExampleCatalog_ResourceAt() {
	c := catalog.Open()
	v, err := catalog.ParseVersion("v7.2.8")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := c.ResourceAt("firewall/address", v)
	if err != nil {
		fmt.Println(err)
		return
	}
	name, _ := r.Attribute("name")
	fmt.Println(r.Kind, r.Key, name.Type, name.Size)
	// Output: table name string 79
}

func ExampleResource_Find() {
	r, err := catalog.Open().Resource("system/dhcp")
	if errors.Is(err, catalog.ErrUnknown) {
		r, err = catalog.Open().Resource("system.dhcp/server")
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	a, ok := r.Find("ip-range/start-ip")
	fmt.Println(a, a.Type, ok)
	// Output: start-ip ipv4-address true
}

func ExampleCatalog_Search() {
	for _, hit := range catalog.Open().Search("virtual wan link", catalog.Singleton) {
		fmt.Println(hit.Path, hit.Window().String())
		break
	}
	// Output: system/virtual-wan-link up to 6.4.0
}

func ExampleCatalog_Nearest() {
	fmt.Println(catalog.Open().Nearest("firewall/service/custm")[0])
	// Output: firewall.service/custom
}

func ExampleWindowError() {
	v := catalog.Version{Major: 7, Minor: 6, Patch: 0}
	_, err := catalog.Open().ResourceAt("spamfilter/profile", v)
	var outside *catalog.WindowError
	if errors.As(err, &outside) {
		fmt.Println(outside.Absence, "-", outside.Window)
	}
	// Output: gone - up to 6.0
}

func ExampleReleases_CertainlyAbsent() {
	r := catalog.Open().Releases()
	w := catalog.Window{Since: "7.6.0"}
	for _, v := range []catalog.Version{{Major: 7, Minor: 4, Patch: 3}, {Major: 7, Minor: 4, Patch: 9}} {
		fmt.Println(v, w.Absence(v), r.CertainlyAbsent(w, v))
	}
	// Output:
	// 7.4.3 too new true
	// 7.4.9 too new false
}
