import type { PodSpec } from 'client-ts/api/core/v1';
import { type Column, column, type Printable } from './printer.ts';

/** The names and images of the containers in a template, as two columns. */
export function containerColumns<T>(
  specOf: (object: T) => Printable<PodSpec> | undefined,
  { wide = true }: { readonly wide?: boolean } = {},
): Column<T>[] {
  const list = (object: T, field: 'image' | 'name'): string =>
    (specOf(object)?.containers ?? []).map((container) => container[field] ?? '').join(',');
  return [
    column('Containers', 'Names of the containers', (object) => list(object, 'name'), { wide }),
    column('Images', 'Images of the containers', (object) => list(object, 'image'), { wide }),
  ];
}
