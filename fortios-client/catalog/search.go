package catalog

type searchWords struct{}
