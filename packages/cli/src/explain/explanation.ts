import { formatGo, getKey } from 'client-ts/internal';

import { indent, wrap } from '../print/wrap.ts';
import {
  type DocumentedKind,
  type Field,
  listOf,
  objectAt,
  type Schema,
  type SchemaDocument,
  textAt,
} from './schema.ts';

/** The width of descriptions, with their margin. */
const width = 80;
/** How many values of an enum a list of fields shows. */
const shownValues = 4;

/** Returns the text that kubectl prints for a type, or for a field if it has a name. */
export function explanationOf(
  document: SchemaDocument,
  { group, kind, version }: DocumentedKind,
  { name, schema }: Pick<Field, 'name' | 'schema'>,
  { recursive }: { readonly recursive: boolean },
): string {
  const resolved = document.resolve(schema);
  const description = document.description(resolved) || '<empty>';
  const fields = [...document.fields(resolved, { deep: recursive })];
  return [
    group === '' ? '' : `GROUP:      ${group}\n`,
    `KIND:       ${kind}\nVERSION:    ${version}\n\n`,
    name === '' ? '' : `FIELD: ${name} <${document.typeName(schema)}>\n${allValues(schema)}\n\n`,
    `DESCRIPTION:\n${paragraph(description, 4)}`,
    externalDocs(resolved, { heading: 0, body: 4 }),
    fields.length === 0 ? '' : 'FIELDS:\n',
    ...fields.map((field) => fieldText(document, field, recursive)),
    '\n',
  ].join('');
}

function fieldText(
  document: SchemaDocument,
  { name, schema, isRequired, level }: Field,
  isShort: boolean,
): string {
  const margin = 2 * level;
  const required = isRequired ? ' -required-' : '';
  const heading = `${indent(name, margin)}\t<${document.typeName(schema)}>${required}`;
  const line = `${heading}${firstValues(schema, margin)}\n`;
  if (isShort) return line;
  const description = textAt(schema, 'description') || '<no description>';
  const docs = externalDocs(schema, { heading: margin + 2, body: margin + 4 });
  return `${line}${paragraph(description, margin + 2)}${docs}\n`;
}

function paragraph(text: string, margin: number): string {
  return `${indent(wrap(text, width - margin), margin)}\n`;
}

function externalDocs(
  schema: Schema,
  margin: { readonly heading: number; readonly body: number },
): string {
  const docs = objectAt(schema, 'externalDocs');
  if (docs === undefined) return '';
  const description = textAt(docs, 'description');
  const url = textAt(docs, 'url');
  return [
    `\n${indent('EXTERNAL DOCS:', margin.heading)}\n`,
    description === '' ? '' : paragraph(description, margin.body),
    url === '' ? '' : `${indent(`URL: ${url}`, margin.body)}\n`,
  ].join('');
}

function allValues(schema: Schema): string {
  const values = valuesOf(schema);
  return values.length === 0 ? '' : ['ENUM:', ...values].join('\n    ');
}

function firstValues(schema: Schema, margin: number): string {
  const values = valuesOf(schema);
  if (values.length === 0) return '';
  const more = values.length > shownValues ? ', ....' : '';
  return `\n${indent(`enum: ${values.slice(0, shownValues).join(', ')}${more}`, margin)}`;
}

function valuesOf(schema: Schema): string[] {
  return listOf(getKey(schema, 'enum')).map((value) => (value === '' ? '""' : formatGo(value)));
}
