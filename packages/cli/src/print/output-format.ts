import { nearest } from '../frame/nearest.ts';
import { UsageError } from '../frame/usage-error.ts';
import { JSONPath, JSONPathError, type JSONPathOptions, relaxedJSONPath } from 'client-ts/jsonpath';

/** A column of `-o custom-columns`. */
export interface CustomColumn {
  readonly heading: string;
  readonly path: JSONPath;
}

/** An output format. */
export type OutputFormat =
  | { readonly type: 'table'; readonly wide: boolean }
  | { readonly type: 'json' }
  | { readonly type: 'yaml' }
  | { readonly type: 'name' }
  | { readonly type: 'jsonpath'; readonly path: JSONPath; readonly asJson: boolean }
  | { readonly type: 'custom-columns'; readonly columns: readonly CustomColumn[] };

/** The formats without and with a template. */
const plainFormats = ['table', 'wide', 'json', 'yaml', 'name'] as const;
const templateFormats = ['jsonpath', 'jsonpath-as-json', 'custom-columns'] as const;

/** Parses the value of `-o`. Throws {@link UsageError}. */
export function parseOutputFormat(text: string | undefined): OutputFormat {
  switch (text) {
    case undefined:
    case '':
    case 'table':
      return { type: 'table', wide: false };
    case 'wide':
      return { type: 'table', wide: true };
    case 'json':
    case 'yaml':
    case 'name':
      return { type: text };
    default:
      return parseTemplateFormat(text);
  }
}

function parseTemplateFormat(text: string): OutputFormat {
  const equals = text.indexOf('=');
  const format = equals === -1 ? text : text.slice(0, equals);
  const template = equals === -1 ? '' : text.slice(equals + 1);
  if (format === 'jsonpath' || format === 'jsonpath-as-json') {
    if (template === '') throw new UsageError(`-o ${format} needs a template: ${format}={.kind}`);
    const path = readPath(template, (text, options) => new JSONPath(text, options));
    return { type: 'jsonpath', path, asJson: format === 'jsonpath-as-json' };
  }
  if (format === 'custom-columns') {
    if (template === '') {
      throw new UsageError('-o custom-columns needs columns: custom-columns=NAME:.metadata.name');
    }
    return { type: 'custom-columns', columns: template.split(',').map(readColumn) };
  }
  const known = [...plainFormats, ...templateFormats];
  const meant = nearest(format, known);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new UsageError(`-o must be one of ${known.join(', ')}, not ${format}${hint}`);
}

function readColumn(text: string): CustomColumn {
  const colon = text.indexOf(':');
  if (colon === -1) {
    throw new UsageError(`the column ${text} must be HEADING:.path.to.field`);
  }
  return { heading: text.slice(0, colon), path: relaxedPath(text.slice(colon + 1)) };
}

/** Parses a path whose braces and first dot are optional. Throws {@link UsageError}. */
export function relaxedPath(text: string): JSONPath {
  return readPath(text, relaxedJSONPath);
}

function readPath(
  template: string,
  read: (template: string, options: JSONPathOptions) => JSONPath,
): JSONPath {
  try {
    return read(template, { allowMissingKeys: true });
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    throw new UsageError(`the JSONPath template ${template} is invalid: ${error.message}`, {
      cause: error,
    });
  }
}
