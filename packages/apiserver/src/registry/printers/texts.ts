import {
  type DeepReadonly,
  type LabelSelector,
  labelSelectorAsSelector,
  LabelSelectorError,
} from 'client-ts/meta';
import type { Printable } from './printer.ts';

/** What stands in a table where there is nothing. */
export const NONE = '<none>';
/** What stands in a table for a field that nobody has set. */
export const UNSET = '<unset>';

/** A text, or `<none>` instead of an empty or missing one. */
export function orNone(text: string | null | undefined): string {
  return text === undefined || text === null || text === '' ? NONE : text;
}

/** Labels as `a=b,c=d`, in order. */
export function formatLabels(labels: Readonly<Record<string, string>> | null | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return orNone(pairs.toSorted().join(','));
}

/** The text form of a selector; one that is missing selects nothing, and has none. */
export function formatSelector(selector: Printable<LabelSelector> | null | undefined): string {
  return orNone(selectorText(selector, '<error>'));
}

/** The text form of a selector, or what to show for one that cannot be. */
export function selectorText(
  selector: Printable<LabelSelector> | null | undefined,
  ifInvalid: string,
): string {
  try {
    return labelSelectorAsSelector(selector as DeepReadonly<LabelSelector> | undefined).toString();
  } catch (error) {
    if (error instanceof LabelSelectorError) return ifInvalid;
    throw error;
  }
}

/** The first few of a list, and how many more there are: `a,b,c + 2 more...`. */
export function firstFew(items: readonly string[], most = 3, separator = ','): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}

/** A set of texts, each once and in order. */
export function inOrder(texts: Iterable<string>): string[] {
  return [...new Set(texts)].toSorted();
}

/** `True`, `False` or, if nobody has decided, `<unset>`. */
export function formatBoolean(value: boolean | null | undefined): string {
  if (value === undefined || value === null) return UNSET;
  return value ? 'True' : 'False';
}

/** `host:port`, with brackets around an IPv6 address. */
export function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Where a load balancer can be reached: addresses, or names where it has none. */
export function balancerAddresses(
  ingress: readonly { readonly ip?: string; readonly hostname?: string }[] | null | undefined,
): string[] {
  const found = (ingress ?? []).map(({ ip = '', hostname = '' }) => (ip === '' ? hostname : ip));
  return inOrder(found.filter((address) => address !== ''));
}

/** A condition of any kind, as it may be stored. */
interface LooseCondition {
  readonly type?: string;
  readonly status?: string;
}

/** The first condition of a type, if the object has one. */
export function findCondition<C extends LooseCondition>(
  conditions: readonly C[] | null | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** True if the object has the condition, and it is true. */
export function holds(
  conditions: readonly LooseCondition[] | null | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === 'True';
}
