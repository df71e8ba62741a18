import type { CustomResourceColumnDefinition } from 'client-ts/api/apiextensions/v1';
import { formatGo, type JsonValue, toGoJson } from 'client-ts/internal';
import { JSONPath, JSONPathError } from 'client-ts/jsonpath';
import { type KubernetesObject, TimeError } from 'client-ts/meta';
import { since, UNKNOWN } from './ages.ts';
import {
  type Cell,
  type Column,
  nameColumn,
  type Printable,
  printer,
  type Printer,
} from './printer.ts';

type CustomResource = Printable<KubernetesObject>;

const AGE: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created',
  jsonPath: '.metadata.creationTimestamp',
};

/** The columns of the Scale of a custom resource. */
export const customScaleColumns: readonly CustomResourceColumnDefinition[] = [
  {
    name: 'Desired',
    type: 'integer',
    description: 'Replicas that are wanted',
    jsonPath: '.spec.replicas',
  },
  {
    name: 'Available',
    type: 'integer',
    description: 'Replicas that exist',
    jsonPath: '.status.replicas',
  },
  AGE,
];

/**
 * Returns the printer of a custom resource: the columns of its definition, or the age. A column
 * with an invalid path is left out, with all columns after it.
 */
export function customPrinter(
  wanted: readonly CustomResourceColumnDefinition[] = [],
): Printer<CustomResource> {
  const columns: Column<CustomResource>[] = [nameColumn()];
  for (const definition of wanted.length === 0 ? [AGE] : wanted) {
    const column = customColumn(definition);
    if (column === undefined) break;
    columns.push(column);
  }
  return printer(columns);
}

function customColumn({
  name,
  type,
  format = '',
  description = '',
  jsonPath,
  priority = 0,
}: CustomResourceColumnDefinition): Column<CustomResource> | undefined {
  const find = pathOf(jsonPath);
  return (
    find && {
      definition: {
        name,
        type,
        format,
        description: description === '' ? `What stands at ${jsonPath}` : description,
        priority,
      },
      cell: (object, now) => formatCell(type, find(object as JsonValue), now),
    }
  );
}

/** Returns undefined for an invalid path. */
function pathOf(jsonPath: string): ((root: JsonValue) => JsonValue | undefined) | undefined {
  let path: JSONPath;
  try {
    path = new JSONPath(`{${jsonPath}}`, { allowMissingKeys: true });
  } catch (error) {
    if (error instanceof JSONPathError) return undefined;
    throw error;
  }
  return (root) => {
    try {
      return path.findResults(root)[0]?.[0] as JsonValue | undefined;
    } catch (error) {
      if (error instanceof JSONPathError) return undefined;
      throw error;
    }
  };
}

/** Formats a cell. String columns accept any value; others show only values of their type. */
function formatCell(type: string, value: JsonValue | undefined, now: number): Cell {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return formatText(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? formatDate(value, now) : null;
    default:
      return null;
  }
}

function formatText(value: JsonValue): string {
  if (value === null) return '<no value>';
  return typeof value === 'object' ? toGoJson(value) : formatGo(value);
}

function formatDate(text: string, now: number): string {
  try {
    return text === 'null' ? UNKNOWN : since(text, now);
  } catch (error) {
    if (error instanceof TimeError) return '<invalid>';
    throw error;
  }
}
