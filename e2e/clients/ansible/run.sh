#!/usr/bin/env bash
# Drives forti simulate with the fortinet.fortios collection of Ansible, and compares
# the device's state with what the playbook did.
#
#   e2e/clients/ansible/run.sh [PATH_OF_FORTI]      without a path, forti is built
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v ansible-playbook >/dev/null || ! ansible-galaxy collection list fortinet.fortios 2>/dev/null | grep -q fortinet.fortios; then
  echo 'Ansible with the collection fortinet.fortios is absent: it did not run'
  exit 0
fi

work=$(mktemp -d)
forti=${1:-}
if [ -z "$forti" ]; then
  forti=$work/forti
  (cd ../../../transport-cli && GOWORK=off go build -o "$forti" ./cmd/forti)
fi
"$forti" simulate --listen 127.0.0.1:0 --release 7.2.8 --requests "$work/requests.jsonl" -o json >"$work/sim.json" &
pid=$!
trap 'kill $pid 2>/dev/null; wait $pid 2>/dev/null || true; rm -rf "$work"' EXIT
until [ -s "$work/sim.json" ]; do sleep 0.1; done
value() { sed "s/.*\"$1\":\"\{0,1\}\([^\",]*\).*/\1/" "$work/sim.json"; }
port=$(value port) token=$(value token)

cat >"$work/inventory" <<END
[fortigate]
fgt ansible_host=127.0.0.1 ansible_connection=httpapi ansible_network_os=fortinet.fortios.fortios ansible_httpapi_port=$port ansible_httpapi_use_ssl=true ansible_httpapi_validate_certs=false token=$token
END
ANSIBLE_LOCAL_TEMP=$work/tmp ANSIBLE_HOME=$work/home ANSIBLE_NOCOLOR=1 ansible-playbook -i "$work/inventory" playbook.yml >"$work/out" 2>&1 || { tail -40 "$work/out"; exit 1; }

api() { curl -sk -H "Authorization: Bearer $token" "https://127.0.0.1:$port/api/v2/cmdb/$1"; }
same() { [ "$2" = "$3" ] || { echo "$1 is $2, want $3"; exit 1; }; }
same 'order of the policies' "$(api 'firewall/policy?format=policyid' | grep -o '"policyid":[0-9]*' | tr -dc '0-9\n' | tr '\n' ' ')" '1 2 3 4 5 99 202 '
same 'comment' "$(api firewall/address/by-ansible | grep -o '"comment":"[^"]*"')" '"comment":"changed"'
same 'time limit' "$(api system/global | grep -o '"admintimeout":[0-9]*')" '"admintimeout":44'
same 'moves' "$(grep -c '"method":"PUT","path":"/api/v2/cmdb/firewall/policy/202","query":"[^"]*action=move' "$work/requests.jsonl")" 1
echo "Ansible, $(ansible-galaxy collection list fortinet.fortios 2>/dev/null | awk '/fortinet.fortios/ {print $1, $2}'): the playbook and the state of the device agree"
