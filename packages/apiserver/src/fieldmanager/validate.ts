import {
  formatGo,
  formatGoSyntax,
  goTypeOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from 'client-ts/internal';
import { shorten } from '../schema/shorten.ts';
import { excerpt } from '../validation/field-error.ts';
import type { FieldType, ListType, MapType, ScalarKind } from './field-type.ts';
import { itemElement, ListItemError } from './list-item.ts';
import { fieldElement, formatElement, type PathElement } from './path-element.ts';

/** How many errors are reported. */
const MAX_FINDINGS = 100;

interface Finding {
  readonly path: string;
  readonly message: string;
}

/**
 * Validates that an applied configuration fits its type: no unknown fields, the right forms, no
 * duplicate items. Returns the message of a real server, or undefined.
 */
export function validateConfig(config: JsonValue, type: FieldType): string | undefined {
  const findings: string[] = [];
  for (const { path, message } of validateValue('', config, type)) {
    if (findings.length === MAX_FINDINGS) {
      findings.push(`too many errors: only the first ${MAX_FINDINGS} are shown`);
      break;
    }
    findings.push(shorten(path === '' ? message : `${path}: ${message}`));
  }
  return findings.length > 1
    ? ['errors:', ...findings.map((finding) => `  ${finding}`)].join('\n')
    : findings[0];
}

type Findings = Generator<Finding, void, undefined>;

function* validateValue(path: string, value: JsonValue, type: FieldType): Findings {
  if (Array.isArray(value) && type.list !== undefined) {
    yield* validateItems(path, value, type.list);
  } else if (isJsonObject(value) && type.map !== undefined) {
    yield* validateFields(path, value, type.map);
  } else if (value !== null) {
    const message = formError(value, type);
    if (message !== undefined) yield { path, message };
  }
}

/** Returns what is wrong with a value that is neither an allowed list nor an allowed map. */
function formError(value: JsonValue, { scalar, map }: FieldType): string | undefined {
  if (isScalar(value) && scalar !== undefined) return scalarError(value, scalar);
  if (map !== undefined) return `expected map, got &{${formatGo(excerpt(value))}}`;
  return scalar === undefined
    ? `expected list, got &{${formatGo(excerpt(value))}}`
    : scalarError(value, scalar);
}

function scalarError(value: JsonValue, kind: ScalarKind): string | undefined {
  switch (kind) {
    case 'numeric':
      if (typeof value === 'number') return undefined;
      return `expected numeric (int or float), got ${goTypeOf(value)}`;
    case 'string':
      if (typeof value === 'string') return undefined;
      return `expected string, got &value.valueUnstructured{Value:${formatGoSyntax(excerpt(value))}}`;
    case 'boolean':
      if (typeof value === 'boolean') return undefined;
      return `expected boolean, got &{${formatGo(excerpt(value))}}`;
    case 'untyped':
      return isScalar(value)
        ? undefined
        : `expected any scalar, got &{${formatGo(excerpt(value))}}`;
  }
}

function isScalar(value: JsonValue): boolean {
  return value !== null && typeof value !== 'object';
}

function* validateItems(path: string, items: readonly JsonValue[], type: ListType): Findings {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    let step = `[${index}]`;
    if (!type.atomic) {
      const element = elementOf(type, item);
      if (element instanceof ListItemError) {
        yield { path, message: `element ${index}: ${element.message}` };
        return;
      }
      step = formatElement(element);
      if (seen.has(element)) yield { path, message: `duplicate entries for key ${step}` };
      seen.add(element);
    }
    yield* validateValue(path + step, item, type.item);
  }
}

function elementOf(type: ListType, item: JsonValue): ListItemError | PathElement {
  try {
    return itemElement(type, item);
  } catch (error) {
    if (error instanceof ListItemError) return error;
    throw error;
  }
}

function* validateFields(path: string, value: JsonObject, type: MapType): Findings {
  for (const [name, field] of Object.entries(value)) {
    const step = path + formatElement(fieldElement(name));
    const fieldType = type.fields.get(name)?.type ?? type.element;
    if (fieldType === undefined) {
      yield { path: step, message: 'field not declared in schema' };
      return;
    }
    if (field !== undefined) yield* validateValue(step, field, fieldType);
  }
}
