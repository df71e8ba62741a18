import { getKey } from 'client-ts/internal';

import type { Generator } from './generator.ts';
import {
  type ApiModel,
  type GoShape,
  type GoShapes,
  loadApiModel,
  loadGoShapes,
  renderApiModel,
} from './model.ts';
import type { Schema } from './schema.ts';

const target = 'packages/apiserver/data/model.json';

/**
 * Joins the API model and the shapes of its types into the one file that the embedded server reads
 * at its start. Properties are in the order in which the server writes them.
 */
export function renderServerModel(model: ApiModel, shapes: GoShapes): string {
  return renderApiModel({ ...model, schemas: serverSchemas(model, shapes) });
}

/** A schema with its properties in order, and the facts of its shape that are not empty. */
export interface ServerSchema extends Schema {
  readonly shape?: Partial<Omit<GoShape, 'order'>>;
}

/** Returns the types of a model as the embedded server reads them. */
export function serverSchemas(
  model: ApiModel,
  shapes: GoShapes,
): Readonly<Record<string, ServerSchema>> {
  const schemas = Object.entries(model.schemas).map(([id, schema]) => {
    const shape = getKey(shapes, id);
    if (shape === undefined) throw new Error(`${id}: the model has no shape for it`);
    return [id, inShape(id, schema, shape)] as const;
  });
  return Object.fromEntries(schemas);
}

function inShape(id: string, schema: Schema, { order, ...shape }: GoShape): ServerSchema {
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
    properties: Object.fromEntries(order.map((name) => [name, getKey(properties, name)])) as Record<
      string,
      Schema
    >,
    ...(Object.keys(facts).length === 0 ? {} : { shape: facts }),
  };
}

/** Writes the data that `@client-ts/apiserver` reads at run time. */
export const serverModel: Generator = {
  name: 'server model',
  outputs: () => new Map([[target, renderServerModel(loadApiModel(), loadGoShapes())]]),
};
