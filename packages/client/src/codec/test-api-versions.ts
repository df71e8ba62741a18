import { kindTable } from './tables.ts';

/** Every apiVersion that has kinds with protobuf. */
export function protobufApiVersions(): readonly string[] {
  return Object.keys(kindTable);
}
