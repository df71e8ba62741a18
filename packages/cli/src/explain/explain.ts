import { isNoMatchError } from 'client-ts/discovery';
import {
  apiVersionOf,
  groupResourceName,
  type GroupVersionResource,
  parseApiVersion,
} from 'client-ts/meta';

import { CliError } from '../frame/cli-error.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { nearest } from '../frame/nearest.ts';
import { printableLines } from '../frame/printable.ts';
import { withProgress } from '../frame/progress.ts';
import { unknownType } from '../resources/resolve.ts';
import { openSession, type Session } from '../resources/session.ts';
import { parseFieldPath } from './field-path.ts';
import { explanationOf } from './explanation.ts';
import { type Schema, SchemaDocument } from './schema.ts';

/** Options of `client-ts explain`. */
export interface ExplainOptions {
  readonly connection: ConnectionValues;
  /** `pods`, or `pods.spec.containers`. */
  readonly wanted: string;
  /** Default: the version that the server prefers. */
  readonly apiVersion: string | undefined;
  readonly recursive: boolean;
}

/** A resource, and the path to a field of it. */
interface Place {
  readonly resource: GroupVersionResource;
  readonly path: readonly string[];
}

/** Prints the documentation of a type or a field, from the OpenAPI v3 document of the server. */
export async function explain(options: ExplainOptions, context: CommandContext): Promise<void> {
  const { connection, wanted, apiVersion, recursive } = options;
  const fields = parseFieldPath(wanted);
  await using session = await openSession(connection, context);
  const title = `Asking ${session.config.server} for its documentation`;
  const place = placed(await placeOf(session, wanted, fields, context.signal), apiVersion);
  const document = await withProgress(context, title, documentOf(session, place, context.signal));
  const { resource, path } = place;
  const kind = document.kindOf(pathOf(resource), resource.resource);
  const schema = kind === undefined ? undefined : document.schemaOf(kind);
  if (kind === undefined || schema === undefined) {
    throw new CliError(
      'CLI_DOCUMENTATION_MISSING',
      `the server does not document ${resource.resource} in ${apiVersionOf(resource)}`,
    );
  }
  const field = path.length === 0 ? undefined : fieldAt(document, schema, path);
  const explanation = explanationOf(document, kind, field ?? { name: '', schema }, { recursive });
  context.stdout.write(printableLines(explanation));
}

/** Finds the resource. A group that is named in full is not a path of fields: `events.events.k8s.io`. */
async function placeOf(
  session: Session,
  wanted: string,
  [name = '', ...path]: readonly string[],
  signal: AbortSignal,
): Promise<Place> {
  const found = await session.mapper
    .resourcesFor({ resource: name }, { signal })
    .catch(async (error: unknown) => {
      throw isNoMatchError(error) ? await unknownType(session, name, error, signal) : error;
    });
  const named = found.find(
    (each) => each.group !== '' && `${wanted}.`.startsWith(`${groupResourceName(each)}.`),
  );
  if (named !== undefined) {
    const rest = wanted.slice(groupResourceName(named).length + 1);
    return { resource: named, path: rest === '' ? [] : parseFieldPath(rest) };
  }
  // `resourcesFor` never returns an empty list.
  return { resource: found[0] as GroupVersionResource, path };
}

function placed({ resource, path }: Place, apiVersion: string | undefined): Place {
  if (apiVersion === undefined) return { resource, path };
  return { resource: { ...resource, ...parseApiVersion(apiVersion) }, path };
}

async function documentOf(
  session: Session,
  { resource }: Place,
  signal: AbortSignal,
): Promise<SchemaDocument> {
  const openapi = session.discovery.openAPIV3();
  return new SchemaDocument(await openapi.documentFor(apiVersionOf(resource), { signal }));
}

/** The path in the OpenAPI document: `api/v1`, `apis/apps/v1`. */
function pathOf({ group, version }: GroupVersionResource): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

/** Follows a path. Throws for a field that does not exist, with the most similar one. */
function fieldAt(
  document: SchemaDocument,
  root: Schema,
  path: readonly string[],
): { readonly name: string; readonly schema: Schema } {
  let schema = root;
  let parent = '';
  for (const name of path) {
    const found = document.fieldOf(schema, name);
    if (found === undefined) {
      const names = [...document.fields(schema, { deep: false })].map((field) => field.name);
      const meant = nearest(name, names);
      throw new CliError('CLI_FIELD_UNKNOWN', `field "${name}" does not exist${parent}`, {
        hint: meant === undefined ? undefined : `Did you mean ${meant}?`,
      });
    }
    schema = found;
    parent = ` in "${name}"`;
  }
  return { name: path.at(-1) ?? '', schema };
}
