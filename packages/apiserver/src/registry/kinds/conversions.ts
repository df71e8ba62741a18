import type { ResourceInfo } from '../resource.ts';
import type { Conversion } from '../served-resource.ts';

/** The conversion between the stored and a served version, where they differ in more than name. */
export function conversionFor(_info: ResourceInfo): Conversion | undefined {
  return undefined;
}
