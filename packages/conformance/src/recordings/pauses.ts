import {
  type Clock,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  sleep,
} from 'client-ts/internal';
import type { Transport, TransportRequest } from 'client-ts/transport';
import { exchange as send } from '../http/exchange.ts';
import { type Answer, parsed } from './answer.ts';
import type { RecordedExchange } from './format.ts';
import { valueAt } from '../json/pointer.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const RBAC = '/apis/rbac.authorization.k8s.io/';

const POLL_MS = 50;
const LONGEST_WAIT_MS = 10_000;

/** Authorizers learn about a new role from a watch; this is long enough on any machine. */
const RBAC_SETTLE_MS = 250;

/**
 * Waits like a real client after a write that takes effect later: a CRD that is being established
 * or removed, a role on its way to the authorizer. It only reads.
 */
export async function pauseAfter(
  exchange: RecordedExchange,
  request: TransportRequest,
  answer: Answer,
  options: { admin: Transport; clock: Clock },
): Promise<void> {
  const { method, path } = request;
  const wrote = method !== 'GET' && answer.status < 300 && !path.includes('dryRun=All');
  if (!wrote) return;
  if (path.startsWith(RBAC)) await sleep(options.clock, RBAC_SETTLE_MS);
  if (!path.startsWith(CRDS)) return;
  const name = valueAt(answer.body, '/metadata/name');
  if (typeof name !== 'string') return;
  // The recording follows up immediately, to show this very state.
  if (exchange.id === 'crd-shortnames') return;
  await until(options.clock, async () => {
    const crd = parsed((await read(options.admin, `${CRDS}/${name}`)).body);
    return method === 'DELETE'
      ? valueAt(crd, '/kind') === 'Status'
      : isSettled(crd) && (await isServed(options.admin, crd as JsonObject));
  });
}

/** True if the names are accepted or rejected, and the CRD is established if possible. */
function isSettled(crd: JsonValue | undefined): boolean {
  const status = (type: string): unknown => {
    const conditions = valueAt(crd, '/status/conditions');
    if (!Array.isArray(conditions)) return undefined;
    const found = conditions.find((item) => isJsonObject(item) && item['type'] === type) as unknown;
    return isJsonObject(found) ? found['status'] : undefined;
  };
  return status('NamesAccepted') === 'False' || status('Established') === 'True';
}

/** True if every version is served as the CRD says. */
async function isServed(admin: Transport, crd: JsonObject): Promise<boolean> {
  const spec = crd['spec'] as { group: string; names: { plural: string }; versions: unknown[] };
  const accepted = valueAt(crd, '/status/acceptedNames/kind');
  if (accepted === '') return true;
  for (const version of spec.versions as { name: string; served: boolean }[]) {
    const base = `/apis/${spec.group}/${version.name}`;
    const { status } = await read(admin, `${base}/${spec.names.plural}?limit=1`);
    if (version.served ? status !== 200 : status !== 404) return false;
    if (version.served && !(await isDiscovered(admin, base, spec.names.plural))) return false;
  }
  return true;
}

async function isDiscovered(admin: Transport, base: string, plural: string): Promise<boolean> {
  const resources = valueAt(parsed((await read(admin, base)).body), '/resources');
  return Array.isArray(resources) && resources.some((item) => valueAt(item, '/name') === plural);
}

/**
 * True if a response only says that the server has not caught up yet, so that a retry makes sense.
 */
export function isNotYet(exchange: RecordedExchange, answer: Answer): boolean {
  const recorded = exchange.response.status;
  if (exchange.mayVary === true || recorded === answer.status) return false;
  return (
    answer.status === 429 && valueAt(answer.body, '/message') === 'storage is (re)initializing'
  );
}

/**
 * Calls `reached` until it returns true. Returns without an error after {@link LONGEST_WAIT_MS},
 * because the next exchanges will fail.
 */
async function until(clock: Clock, reached: () => Promise<boolean>): Promise<void> {
  const deadline = clock.monotonic() + LONGEST_WAIT_MS;
  while (!(await reached()) && clock.monotonic() < deadline) await sleep(clock, POLL_MS);
}

function read(transport: Transport, path: string): Promise<{ status: number; body: Uint8Array }> {
  return send(transport, { method: 'GET', path, headers: {} });
}
