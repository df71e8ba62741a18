import { isJsonObject, type JsonValue } from '../lib/json.ts';
import { compareStrings } from '../lib/go-format.ts';
import { unifiedDiff } from '../lib/unified-diff.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { writeYaml } from '../yaml/index.ts';
import type { AppliedResult } from './types.ts';

/**
 * Returns what an apply changed, or would change with `dryRun`, as a unified diff of YAML; empty if
 * nothing. Managed fields are left out, and versions are not compared. The values of Secrets are masked, so that the text shows
 * which ones change and can be logged.
 *
 * ```ts
 * const results = await applyFile(client, 'shop.yaml', { fieldManager: 'deploy', dryRun: true });
 * for (const result of results) if ('after' in result) console.log(diffOf(result));
 * ```
 */
export function diffOf({ before, after, object }: AppliedResult): string {
  const { apiVersion, kind, metadata } = after;
  // Every write changes the version; a dry run does not.
  const { resourceVersion } = before?.metadata ?? metadata;
  const merged = { ...after, metadata: { ...metadata, resourceVersion } };
  const [old, current] = maskedPair(before, merged);
  const { namespace = '', name } = metadata;
  const parts = [apiVersion ?? object.apiVersion, kind ?? object.kind, namespace, name];
  const label = parts.map((part) => part.replaceAll('/', '.')).join('.');
  return unifiedDiff(textOf(old), textOf(current), {
    from: `live/${label}`,
    to: `merged/${label}`,
  });
}

function textOf(object: KubernetesObject | undefined): string {
  if (object === undefined) return '';
  const { metadata, ...rest } = object;
  const { managedFields: _, ...kept } = metadata ?? {};
  const shown: object = { ...rest, metadata: kept };
  return writeYaml(sorted(shown as JsonValue));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([left], [right]) => compareStrings(left, right));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each as JsonValue)]));
}

type Maybe = KubernetesObject | undefined;

/** As in kubectl: a value that changes is marked as before and after, any other is `***`. */
function maskedPair(before: Maybe, after: Maybe): readonly [Maybe, Maybe] {
  const { apiVersion, kind } = after ?? {};
  if (apiVersion !== 'v1' || kind !== 'Secret') return [before, after];
  const [old, current] = [dataOf(before), dataOf(after)];
  const mask = (data: Data, other: Data, word: string): Data =>
    new Map(
      [...data].map(([key, value]) => {
        const isChanged = other.has(key) && other.get(key) !== value;
        return [key, isChanged ? `*** (${word})` : '***'];
      }),
    );
  return [
    withData(before, mask(old, current, 'before')),
    withData(after, mask(current, old, 'after')),
  ];
}

type Data = ReadonlyMap<string, unknown>;

function dataOf(secret: Maybe): Data {
  return new Map(Object.entries((secret as { data?: object } | undefined)?.data ?? {}));
}

function withData(secret: Maybe, data: Data): Maybe {
  if (secret === undefined || data.size === 0) return secret;
  return { ...secret, data: Object.fromEntries(data) } as KubernetesObject;
}
