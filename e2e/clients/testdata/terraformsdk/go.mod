module terraformsdk

go 1.26.0

require github.com/fortinetdev/forti-sdk-go v1.9.2
