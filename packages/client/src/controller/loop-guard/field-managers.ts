import { getKey, isJsonObject } from '../../lib/json.ts';
import type {
  DeepReadonly,
  FieldsV1,
  KubernetesObject,
  ManagedFieldsEntry,
} from '../../meta/types.ts';
import type { FieldStep } from './field-changes.ts';

type Entry = DeepReadonly<ManagedFieldsEntry>;

/**
 * Returns the manager of a field, other than this one, by the managed fields of an object; of several
 * the last writer. A field that is absent has no manager: then the last writer of any field is the best
 * guess. Undefined if there is none, or if the cache drops managed fields.
 */
export function managerOf(
  { metadata }: DeepReadonly<KubernetesObject>,
  steps: readonly FieldStep[],
  except: string | undefined,
): string | undefined {
  const entries = (metadata?.managedFields ?? []).filter(({ manager }) => manager !== except);
  const owners = entries.filter(({ fieldsV1 }) => fieldsV1 !== undefined && owns(fieldsV1, steps));
  const [last] = (owners.length > 0 ? owners : entries).toSorted(byTime);
  return last?.manager;
}

/** The newest first. */
function byTime({ time: left = '' }: Entry, { time: right = '' }: Entry): number {
  return left < right ? 1 : left > right ? -1 : 0;
}

/** True if a set of fields has this one, or a part of the object that contains it as a whole. */
function owns(fields: DeepReadonly<FieldsV1>, steps: readonly FieldStep[]): boolean {
  const [step, ...rest] = steps;
  const names = Object.keys(fields).filter((name) => name !== '.');
  if (step === undefined || names.length === 0) return true;
  const name =
    typeof step === 'string' ? `f:${step}` : (names.find((each) => isItem(each, step)) ?? '');
  const below = getKey(fields, name);
  return below !== undefined && owns(below, rest);
}

function isItem(name: string, { key, value }: Exclude<FieldStep, string>): boolean {
  if (!name.startsWith('k:')) return false;
  try {
    const keys: unknown = JSON.parse(name.slice(2));
    return isJsonObject(keys) && getKey(keys, key) === value;
  } catch {
    return false;
  }
}
