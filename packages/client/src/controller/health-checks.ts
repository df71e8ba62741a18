import { describeState } from '../cache/informer-state.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import type { SharedIndexInformer } from '../cache/shared-index-informer.ts';
import { messageOf } from '../lib/errors.ts';

/**
 * Checks one aspect of health. It has failed if it throws or rejects; the message is shown. A string
 * that it returns is shown beside the result.
 */
export type HealthCheck = () => Promise<string | void> | string | void;

/** The answer to a probe. */
export interface HealthAnswer {
  /** 200 or 503. */
  readonly status: number;
  readonly text: string;
}

/** The query of a probe. */
export interface HealthQuery {
  /** Only the check of this name. */
  readonly only?: string | undefined;
  /** Shows each check. A failed probe always does. */
  readonly verbose?: boolean | undefined;
  /** Names of checks to leave out. */
  readonly exclude?: readonly string[] | undefined;
}

/** Named checks that make up one probe, in the format of kube-apiserver. */
export class HealthChecks {
  readonly #name: string;
  readonly #checks = new Map<string, HealthCheck>();
  readonly #groups: (() => Iterable<readonly [string, HealthCheck]>)[] = [];

  /** `name` is that of the probe: `readyz`. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Adds a check, or replaces the one of this name. */
  add(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
  }

  /** Adds checks that are made at each probe. */
  addGroup(checks: () => Iterable<readonly [string, HealthCheck]>): void {
    this.#groups.push(checks);
  }

  /** Runs the checks. Never rejects. Returns undefined if there is no check of the name `only`. */
  async run({ only, verbose = false, exclude = [] }: HealthQuery = {}): Promise<
    HealthAnswer | undefined
  > {
    const all = [...this.#checks, ...this.#groups.flatMap((group) => [...group()])];
    const wanted = only === undefined ? all : all.filter(([name]) => name === only);
    if (only !== undefined && wanted.length === 0) return undefined;
    const results = await Promise.all(
      wanted.map(async ([name, check]) =>
        exclude.includes(name) ? `[+]${name} excluded: ok` : await runCheck(name, check),
      ),
    );
    const isHealthy = results.every((line) => line.startsWith('[+]'));
    const status = isHealthy ? 200 : 503;
    if (isHealthy && !verbose) return { status, text: 'ok' };
    const verdict = `${this.#name} check ${isHealthy ? 'passed' : 'failed'}`;
    return { status, text: `${[...results, verdict].join('\n')}\n` };
  }
}

async function runCheck(name: string, check: HealthCheck): Promise<string> {
  try {
    const remark = (await check()) ?? '';
    return `[+]${name} ok${remark === '' ? '' : `: ${remark}`}`;
  } catch (error) {
    return `[-]${name} failed: ${messageOf(error)}`;
  }
}

/** A cache is ready once it has synced: a server that is away for a while is no reason to be restarted. */
export function informerCheck(
  informer: Pick<SharedIndexInformer<CachedObject>, 'hasSynced' | 'name' | 'state'>,
  isOptional: boolean,
): readonly [string, HealthCheck] {
  const check = (): string | undefined => {
    const { state, hasSynced } = informer;
    if (state.state === 'live') return undefined;
    const words = describeState(state);
    if (isOptional && state.state === 'absent') return `inactive, ${words}`;
    if (hasSynced && state.state === 'stale') return words;
    throw new Error(words);
  };
  return [`informer/${informer.name}`, check];
}
