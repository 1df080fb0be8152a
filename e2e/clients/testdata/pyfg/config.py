"""Reads a configuration with pyFG as a person who keeps backups does, changes the
copy, and prints what pyFG saw: the values, and the commands that lead from the one
to the other."""

import json
import sys

from pyFG.forticonfig import FortiConfig

text = sys.stdin.read()
running, wanted = FortiConfig("running"), FortiConfig("wanted")
running.parse_config_output(text)
wanted.parse_config_output(text)

addresses = wanted["firewall address"]
addresses["srv-web"].set_param("comment", '"kept by pyFG"')
new = FortiConfig("from-pyfg", "edit", addresses)
new.set_param("subnet", "10.50.0.0 255.255.0.0")
addresses["from-pyfg"] = new
wanted["system global"].set_param("admintimeout", "77")

print(json.dumps({
    "blocks": sorted(running.get_block_names()),
    "policies": list(running["firewall policy"].get_block_names()),
    "hostname": running["system global"].get_param("hostname"),
    "address": running["firewall address"]["srv-web"].parameters,
    "lan": running["system interface"]["lan"].get_param("ip"),
    "same": running.compare_config(running),
    "commands": running.compare_config(wanted),
}))
