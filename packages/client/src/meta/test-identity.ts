import { Identified } from './object.ts';

/** Attaches an identity, as decoding does. */
export function identify(object: object, key: string, resourceVersion: string): object {
  return new Identified(object, key, { versionOf: () => resourceVersion });
}
