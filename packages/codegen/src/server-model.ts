import { getKey } from 'client-ts/internal';
import type { Generator } from './generator.ts';
import type { ApiModel } from './model.ts';
import { loadApiModel, readModel } from './model.ts';
import type { Schema } from './schema.ts';

/**
 * How the server's own types hold one schema. OpenAPI does not say it, and without it nobody can
 * tell which empty fields the server writes, nor in which order.
 */
export interface GoShape {
  /** Every field, in the order in which the server writes them. */
  readonly order: readonly string[];
  /** Fields that tell an explicit zero value from none. */
  readonly pointer: readonly string[];
  /** Fields that are written even when they are empty. */
  readonly always: readonly string[];
  /** Names of types in error messages, where they do not follow from the schema. */
  readonly types?: Readonly<Record<string, string>>;
  /** Fields that come from an inlined structure, which error messages name too. */
  readonly inline?: Readonly<Record<string, string>>;
}

/** Reads the shapes of all schemas of the model, by schema id. */
export function loadGoShapes(): Readonly<Record<string, GoShape>> {
  return readModel('goshape-v1.36.json') as Readonly<Record<string, GoShape>>;
}

const target = 'packages/apiserver/data/model-v1.36.json';

/**
 * Joins the API model and the shapes of its types into the one file that the embedded server reads
 * at its start: one line per resource and per schema, properties in the order of writing.
 */
export function renderServerModel(
  model: ApiModel,
  shapes: Readonly<Record<string, GoShape>>,
): string {
  const groupVersions = model.groupVersions.map(
    ({ group, version, resources }) =>
      `{"group":${JSON.stringify(group)},"version":${JSON.stringify(version)},"resources":[\n${lines(
        resources.map((resource) => JSON.stringify(resource)),
      )}\n]}`,
  );
  const schemas = Object.entries(model.schemas).map(([id, schema]) => {
    const shape = getKey(shapes, id);
    if (shape === undefined) throw new Error(`${id}: the model has no shape for it`);
    return `${JSON.stringify(id)}:${JSON.stringify(inShape(id, schema, shape))}`;
  });
  return [
    `{"kubernetes":${JSON.stringify(model.kubernetes)},`,
    `"groupVersions":[\n${lines(groupVersions)}\n],`,
    `"schemas":{\n${lines(schemas)}\n}}\n`,
  ].join('\n');
}

/** The schema with its properties in order, and what the shape adds under `shape`. */
function inShape(id: string, schema: Schema, { order, ...shape }: GoShape): object {
  const { properties, ...rest } = schema;
  if (properties === undefined) return rest;
  const names = Object.keys(properties);
  if (
    order.length !== names.length ||
    order.some((name) => getKey(properties, name) === undefined)
  ) {
    throw new Error(`${id}: the shape and the schema name different fields`);
  }
  const facts = Object.fromEntries(
    Object.entries(shape).filter(([, names]) => Object.keys(names).length > 0),
  );
  return {
    ...rest,
    properties: Object.fromEntries(order.map((name) => [name, getKey(properties, name)])),
    ...(Object.keys(facts).length === 0 ? {} : { shape: facts }),
  };
}

function lines(items: readonly string[]): string {
  return items.join(',\n');
}

/** Writes the data that `@client-ts/apiserver` reads at run time. */
export const serverModel: Generator = {
  name: 'server model',
  outputs: () => new Map([[target, renderServerModel(loadApiModel(), loadGoShapes())]]),
};
