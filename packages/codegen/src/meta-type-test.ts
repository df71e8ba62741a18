import { apiDirectory, metaPackages } from './api-modules.ts';
import { type Doc, hardline, indent, join } from './doc.ts';
import type { Generator } from './generator.ts';
import { type ApiModel, splitSchemaId } from './model.ts';
import { ModuleWriter } from './module-writer.ts';
import { fieldsOf, interfaceDoc, typeOf, type TypeRules } from './schema-types.ts';
import { named, typeDoc } from './type-node.ts';

const helpers = `/** True if both have the same fields, as optional as in the other, with types that fit both ways. */
type Agrees<Model, Written> = [keyof Model, Model, Written] extends [keyof Written, Written, Model]
  ? [keyof Written] extends [keyof Model]
    ? true
    : { surplus: Exclude<keyof Written, keyof Model> }
  : { missing: Exclude<keyof Model, keyof Written>; differs: Differing<Model, Written> };

type Differing<Model, Written> = {
  [Key in keyof Model & keyof Written]: [Pick<Model, Key>, Pick<Written, Key>] extends [
    Pick<Written, Key>,
    Pick<Model, Key>,
  ]
    ? never
    : Key;
}[keyof Model & keyof Written];

type Check<Result extends true> = Result;`;

/**
 * Generates a type test that compares the hand-written types of `meta/types.ts` with the model. The
 * compiler runs it with every build: a field that is missing, surplus, or optional where it is
 * required fails, and the error names it.
 */
export function metaTypeTestGenerator(model: ApiModel): Generator {
  return {
    name: 'meta type test',
    outputs: () => new Map([[`${apiDirectory}/meta/v1.test-d.ts`, typeTestText(model)]]),
  };
}

function typeTestText(model: ApiModel): string {
  const writer = new ModuleWriter(
    `Compares meta/types.ts with Kubernetes ${model.kubernetes}. Written by \`npm run generate\`; do not edit.`,
  );
  const rules: TypeRules = {
    module: writer,
    metaSpecifier: '../../meta/types.ts',
    // The model has plain strings here; a hand-written type that says more fits too.
    enums: 'open',
    comment: () => '',
    reference: (id) => named(`meta.${splitSchemaId(id).name}`),
    nested: (_schema, path) => {
      throw new Error(
        `${path.join('.')} is an object without a name; the model has no such objects`,
      );
    },
  };
  const schemas = Object.entries(model.schemas)
    .map(([id, schema]) => ({ ...splitSchemaId(id), schema }))
    .filter(({ path }) => metaPackages.has(path));

  writer.declare("import type * as meta from '../../meta/types.ts';");
  writer.declare(join(hardline, helpers.split('\n')));
  const checks: Doc[] = [];
  for (const { name, schema } of schemas) {
    if (schema.properties !== undefined) {
      writer.declare(interfaceDoc(name, fieldsOf(schema, [name], rules), { exported: false }));
      checks.push(`Check<Agrees<${name}, meta.${name}>>,`);
    } else if (schema.type === 'string') {
      checks.push(['Check<Agrees<', typeDoc(typeOf(schema, [name], rules)), `, meta.${name}>>,`]);
    } else {
      // The model does not say what it contains; only that it exists can be checked.
      checks.push(`meta.${name},`);
    }
  }
  writer.declare([
    'export type Checks = [',
    indent(hardline, join(hardline, checks)),
    hardline,
    '];',
  ]);
  return writer.toString();
}
