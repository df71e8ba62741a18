import { type Clock, type Random, systemClock, systemRandom } from 'client-ts/internal';
import type { Transport } from 'client-ts/transport';
import { ApiClient } from '../http/api-client.ts';
import { removeNamespaces } from '../http/clean-up.ts';
import { areas } from './areas.ts';
import type { Area, Kit } from './check.ts';
import { ok } from './expect.ts';

/** A server under test. */
export interface SuiteTarget {
  /** With the credentials of the cluster administrator. */
  readonly admin: Transport;
  /** Without credentials. */
  readonly anonymous: Transport;
}

export interface CheckResult {
  readonly area: string;
  readonly check: string;
  /** Why it failed; undefined if it passed. */
  readonly error?: unknown;
}

export interface SuiteOptions {
  /** Only checks whose `area: check` contains this, ignoring case. */
  readonly matching?: string;
  /** Called after each area. */
  readonly onArea?: (results: readonly CheckResult[]) => void;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** A run mostly waits for watches to end, so several areas run concurrently. */
const AREAS_AT_ONCE = 6;

/**
 * Runs the suite. It uses its own namespaces with unique names, and deletes everything that it
 * creates; the results are in the order of the areas.
 */
export async function runSuite(
  target: SuiteTarget,
  options: SuiteOptions = {},
): Promise<CheckResult[]> {
  const chosen = chosenAreas(options.matching);
  const results: CheckResult[][] = [];
  const waiting = [...chosen.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, area] = next;
      const result = await runArea(area, target, options);
      results[index] = result;
      options.onArea?.(result);
    }
  };
  await Promise.all(Array.from({ length: AREAS_AT_ONCE }, work));
  return results.flat();
}

function chosenAreas(matching = ''): Area[] {
  const pattern = matching.toLowerCase();
  return areas
    .map((area) => ({
      ...area,
      checks: Object.fromEntries(
        Object.entries(area.checks).filter(([check]) =>
          `${area.name}: ${check}`.toLowerCase().includes(pattern),
        ),
      ),
    }))
    .filter(({ checks }) => Object.keys(checks).length > 0);
}

async function runArea(
  area: Area,
  target: SuiteTarget,
  { clock = systemClock, random = systemRandom }: SuiteOptions,
): Promise<CheckResult[]> {
  const api = new ApiClient(target.admin);
  const namespaces = new Set<string>();
  const cleanUps: (() => Promise<unknown>)[] = [];
  const freshNamespace = async (): Promise<string> => {
    const object = { metadata: { generateName: 'conformance-' } };
    const { metadata } = ok(await api.post('/api/v1/namespaces', object), 201);
    const name = metadata.name ?? '';
    namespaces.add(name);
    return name;
  };
  const kit: Kit = {
    api,
    anonymous: new ApiClient(target.anonymous),
    namespace: await freshNamespace(),
    freshNamespace,
    unique: (prefix) => `${prefix}-${random.uuid().slice(0, 8)}`,
    cleanUp: (work) => void cleanUps.push(work),
    clock,
    random,
  };
  const results: CheckResult[] = [];
  try {
    for (const [check, run] of Object.entries(area.checks)) {
      try {
        await run(kit);
        results.push({ area: area.name, check });
      } catch (error) {
        results.push({ area: area.name, check, error });
      }
    }
  } finally {
    for (const work of cleanUps.toReversed()) await work();
    await removeNamespaces(target.admin, (name) => namespaces.has(name));
  }
  return results;
}
