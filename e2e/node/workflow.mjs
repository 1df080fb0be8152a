// The main job through a client of either SDK: look, read, plan, be refused, apply,
// roll back. The server simulates a FortiGate; forti-mcp --demo serves it.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const binary = process.argv[2];
assert.ok(binary, 'usage: node CLIENT.mjs PATH_OF_FORTI_MCP');

/** Runs job with a new home and the parameters that start a server on it. */
export async function withHome(job) {
  const home = await mkdtemp(join(tmpdir(), 'forti-node-'));
  try {
    const args = ['--demo', '--home', home, '--profile', 'demo', '--profile', 'free'];
    await job({ command: binary, args, env: { PATH: process.env.PATH, HOME: home }, stderr: 'ignore' }, home);
  } finally {
    await rm(home, { recursive: true });
  }
}

/**
 * Adds the profile "free", as an operator would: the demo's device in the mode that
 * executes at once.
 */
async function addAutonomousProfile(home) {
  const path = join(home, 'config.json');
  const config = JSON.parse(await readFile(path, 'utf8'));
  config.profiles.free = { ...config.profiles.demo, mode: 'autonomous' };
  await writeFile(path, JSON.stringify(config), { mode: 0o600 });
}

/** What both SDKs learn of the server when they connect. */
export function checkGreeting(client) {
  const info = client.getServerVersion();
  assert.equal(info.name, 'forti-mcp');
  assert.equal(info.title, 'FortiOS (forti-mcp)');
  assert.ok(info.version);
  assert.match(client.getInstructions(), /^forti-mcp manages FortiGate firewalls through the FortiOS REST API only/);
  assert.deepEqual(Object.keys(client.getServerCapabilities()), ['tools']);
}

/** Every tool, its errors too; the SDK holds each result against the output schema. */
export async function workflow(client, home) {
  const { tools, nextCursor } = await client.listTools();
  assert.deepEqual(tools.map((t) => t.name), ['forti_discover', 'forti_read', 'forti_plan', 'forti_apply']);
  assert.equal(nextCursor, undefined);
  for (const t of tools) assert.equal(t.annotations.title, t.title);

  await addAutonomousProfile(home);
  const devices = await data(client, 'forti_discover', { what: 'devices' });
  assert.deepEqual(devices.map((d) => `${d.name} ${d.mode}`).sort(), ['demo guarded', 'free autonomous']);
  const row = await data(client, 'forti_read', { profile: 'demo', resource: 'firewall/address', key: 'net-lan' });
  assert.equal(row.subnet, '192.168.10.0 255.255.255.0');

  const operations = [{ op: 'create', resource: 'firewall/address', object: { name: 'printer-3', subnet: '192.168.10.203/32' } }];
  await refusedWithoutApproval(client, await data(client, 'forti_plan', { profile: 'demo', operations }));
  await appliedAndRolledBack(client, await data(client, 'forti_plan', { profile: 'free', operations }));
  await mistakes(client);
}

async function refusedWithoutApproval(client, plan) {
  const result = await call(client, 'forti_apply', { plan_id: plan.plan_id });
  assert.equal(result.isError, true);
  const { code, details } = result.structuredContent.error;
  assert.equal(code, 'approval_required');
  assert.equal(details.approve_command, plan.approve);
  assert.equal(result.content.length, 2);
  assert.ok(result.content[1].text.includes(plan.approve));
}

async function appliedAndRolledBack(client, plan) {
  const applied = await data(client, 'forti_apply', { plan_id: plan.plan_id });
  assert.equal(applied.status, 'applied');
  assert.equal(applied.verified, 1);
  await data(client, 'forti_read', { profile: 'free', resource: 'firewall/address', key: 'printer-3' });
  const undone = await data(client, 'forti_apply', { plan_id: applied.rollback.plan_id });
  assert.equal(undone.status, 'applied');
  const gone = await call(client, 'forti_read', { profile: 'free', resource: 'firewall/address', key: 'printer-3' });
  assert.equal(gone.structuredContent.error.code, 'not_found');
}

async function mistakes(client) {
  const wrong = await call(client, 'forti_plan', { profile: 'demo', operations: [{ op: 'drop', resource: 'firewall/address' }] });
  assert.equal(wrong.isError, true);
  assert.equal(wrong.structuredContent.error.code, 'usage');
  assert.match(wrong.structuredContent.error.message, /\/operations\/0\/op: must be one of/);
  await assert.rejects(client.callTool({ name: 'forti_approve', arguments: {} }), { code: -32602 });
  await assert.rejects(client.listTools({ cursor: '2' }), { code: -32602 });
}

async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  assert.equal(result.isError, !result.structuredContent.ok);
  return result;
}

async function data(client, name, args) {
  const result = await call(client, name, args);
  assert.equal(result.isError, false, `${name}: ${result.content[0].text}`);
  return result.structuredContent.data;
}
