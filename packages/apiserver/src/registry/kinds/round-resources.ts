import { setKey } from 'client-ts/internal';
import { parseQuantity, type Quantity } from 'client-ts/meta';

/** Resources are kept to the thousandth, rounded up. */
export function roundResources(resources: Record<string, Quantity> | undefined): void {
  if (resources === undefined) return;
  for (const [name, value] of Object.entries(resources)) {
    setKey(resources, name, parseQuantity(value).roundUp(-3).toString());
  }
}
