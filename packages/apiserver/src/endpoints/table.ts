import { annotationsOf, type ListMeta, newBadRequest } from 'client-ts/meta';
import { printerFor } from '../registry/kinds/kinds.ts';
import type { ApiObject } from '../registry/object.ts';
import { customPrinter, customScaleColumns } from '../registry/printers/custom.ts';
import type { Printer } from '../registry/printers/printer.ts';
import { scalePrinter } from '../registry/scale.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { StoredObject } from '../store/store.ts';
import { partialMetadata } from './encoder.ts';
import type { ResourceExchange } from './exchange.ts';

/** What a row includes of its object. */
type IncludeObject = 'Metadata' | 'None' | 'Object';

const INCLUDE_OBJECT: ReadonlyMap<string, IncludeObject> = new Map([
  ['', 'Metadata'],
  ['Metadata', 'Metadata'],
  ['None', 'None'],
  ['Object', 'Object'],
]);

/** Parses `includeObject`; throws a 400 for an unknown value. */
export function includeObjectOf(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? '';
  const known = INCLUDE_OBJECT.get(value);
  if (known !== undefined) return known;
  throw newBadRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/**
 * Returns objects as table rows, as kubectl shows them. Later events of a watch have no columns.
 */
export function tableOf(
  exchange: ResourceExchange,
  objects: readonly StoredObject[],
  metadata: ListMeta,
  version: 'v1' | 'v1beta1',
  withColumns = true,
): object {
  const include = includeObjectOf(exchange.info.query);
  const printer = printerOf(exchange);
  const now = exchange.core.clock.now();
  const shown = objects.map((object) => ({ object, printed: printable(exchange, object) }));
  const { compare } = printer;
  if (compare !== undefined) shown.sort((left, right) => compare(left.printed, right.printed));
  const rows = shown.map(({ object, printed }) => {
    const conditions = printer.conditions?.(printed);
    return {
      cells: printer.cells(printed, now),
      ...(conditions && { conditions }),
      object: included(object, include, version),
    };
  });
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: withColumns || printer.alwaysWithColumns ? printer.columns : null,
    rows: rows.length === 0 && printer.nullWhenEmpty ? null : rows,
  };
}

/** Returns the table of a single object, with the object's version. */
export function tableOfOne(
  exchange: ResourceExchange,
  object: StoredObject,
  version: 'v1' | 'v1beta1',
  withColumns = true,
): object {
  const { resourceVersion } = object.metadata ?? {};
  const metadata = resourceVersion === undefined ? {} : { resourceVersion };
  return tableOf(exchange, [object], metadata, version, withColumns);
}

const customPrinters = new WeakMap<ServedResource, Printer>();
const customScalePrinter = customPrinter(customScaleColumns);

function printerOf({ served, info }: ResourceExchange): Printer {
  const { group, resource, crd } = served.info;
  if (info.subresource === 'scale') return crd === undefined ? scalePrinter : customScalePrinter;
  if (crd === undefined) return printerFor(group, resource);
  let printer = customPrinters.get(served);
  if (printer === undefined) {
    customPrinters.set(served, (printer = customPrinter(served.printerColumns)));
  }
  return printer;
}

/**
 * Returns the object in the form that printers expect: built-in kinds as stored, in any requested
 * version.
 */
function printable({ served, info }: ResourceExchange, object: StoredObject): never {
  const { conversion } = served;
  // Bookmarks have nothing to convert.
  const isStoredForm =
    conversion === undefined ||
    served.info.crd !== undefined ||
    info.subresource === 'scale' ||
    object.metadata?.name === undefined;
  return (isStoredForm ? object : conversion.toStorage(object as ApiObject)) as never;
}

function included(
  object: StoredObject,
  include: IncludeObject,
  version: 'v1' | 'v1beta1',
): object | null {
  if (include === 'Object') return object;
  // Clients recognise this bookmark by its annotation, so it is never omitted.
  const isInitialEnd = annotationsOf(object)['k8s.io/initial-events-end'] === 'true';
  return include === 'None' && !isInitialEnd ? null : partialMetadata(object, version);
}
