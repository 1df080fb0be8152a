module fgtdev

go 1.26.0

require github.com/fortios/fortios-sdk v1.0.0

// Its sources name themselves so, and no module of that name exists.
replace github.com/fortios/fortios-sdk => github.com/fgtdev/fortios-sdk-go v1.0.0
