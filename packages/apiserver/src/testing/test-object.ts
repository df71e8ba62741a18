import type { ListMeta, ObjectMeta, StatusDetails } from 'client-ts/meta';

/** An object, a list or a Status, with as much type as a test needs. */
export interface TestObject {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ListMeta & ObjectMeta;
  readonly items?: readonly TestObject[];
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
  readonly [field: string]: unknown;
}
