import {
  type DeepReadonly,
  type LabelSelector,
  labelSelectorAsSelector,
  LabelSelectorError,
} from 'client-ts/meta';
import type { Printable } from './printer.ts';

/** The cell for an empty value. */
export const NONE = '<none>';
/** The cell for a value that is not set. */
export const UNSET = '<unset>';

/** Returns the text, or `<none>` if it is empty. */
export function orNone(text: string | null | undefined): string {
  return text === undefined || text === null || text === '' ? NONE : text;
}

/** Formats labels as `a=b,c=d`, sorted. */
export function formatLabels(labels: Readonly<Record<string, string>> | null | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return orNone(pairs.toSorted().join(','));
}

/** Formats a selector; `<none>` for an absent one. */
export function formatSelector(selector: Printable<LabelSelector> | null | undefined): string {
  return orNone(selectorText(selector, '<error>'));
}

/** Formats a selector, or returns `ifInvalid`. */
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

/** Formats the first items and the number of the others: `a,b,c + 2 more...`. */
export function firstFew(items: readonly string[], most = 3, separator = ','): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}

/** Returns the texts sorted, without duplicates. */
export function sortedUnique(texts: Iterable<string>): string[] {
  return [...new Set(texts)].toSorted();
}

/** Formats a boolean as `True`, `False` or `<unset>`. */
export function formatBoolean(value: boolean | null | undefined): string {
  if (value === undefined || value === null) return UNSET;
  return value ? 'True' : 'False';
}

/** Formats `host:port`, with brackets around IPv6 addresses. */
export function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Returns the addresses of a load balancer; hostnames where it has no IP. */
export function balancerAddresses(
  ingress: readonly { readonly ip?: string; readonly hostname?: string }[] | null | undefined,
): string[] {
  const found = (ingress ?? []).map(({ ip = '', hostname = '' }) => (ip === '' ? hostname : ip));
  return sortedUnique(found.filter((address) => address !== ''));
}
