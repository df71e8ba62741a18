import type { GroupVersionResource } from '../meta/resource.ts';
import { invalidRequest } from './rest-error.ts';

/*
 * Checks of arguments whose types the compiler guarantees to TypeScript and nobody to JavaScript. A
 * variable that was never set must not end in a TypeError from the depths of the library.
 */

/** Refuses options that are not an object, and a signal that is none. */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw invalidRequest(`the options must be an object, not ${kindOf(options)}`);
  }
  const signal: unknown = Reflect.get(options, 'signal');
  if (signal === undefined) return;
  if (typeof Reflect.get(Object(signal), 'addEventListener') !== 'function') {
    throw invalidRequest(`the signal must be an AbortSignal, not ${kindOf(signal)}`);
  }
}

/** Refuses what cannot be the body of a request. */
export function checkObject(value: unknown, what: string): void {
  if (typeof value === 'object' && value !== null) return;
  throw invalidRequest(`${what} must be an object, not ${kindOf(value)}`);
}

/** Refuses what is no text. */
export function checkText(value: unknown, what: string): void {
  if (typeof value === 'string') return;
  throw invalidRequest(`the ${what} must be a string, not ${kindOf(value)}`);
}

/** Refuses what names no resource. */
export function checkResource(resource: unknown): void {
  checkObject(resource, 'the resource');
  const { group, version, resource: name } = resource as Partial<GroupVersionResource>;
  if (typeof group === 'string' && typeof version === 'string' && typeof name === 'string') return;
  throw invalidRequest(
    'the resource must have a group, a version and a resource, each a string',
    "Give a descriptor, or { group: 'apps', version: 'v1', resource: 'deployments' }.",
  );
}

/** Returns what a value is, in words and without its contents. */
function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
