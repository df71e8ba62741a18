/**
 * Custom resources from one declaration: descriptor, type, validation and the CRD.
 *
 * @module
 */

export { conditionsSchema } from './conditions-schema.ts';
export { InvalidResourceError, ResourceDefinitionError, type SchemaProblem } from './crd-errors.ts';
export {
  customResourceDefinition,
  type CustomResourceDefinitionOptions,
  type CustomSubresources,
  defineResource,
  type DefinedResource,
  type ResourceDefinition,
  type ValidateOptions,
} from './define-resource.ts';
export {
  type CustomResource,
  type FromSchema,
  type SchemaRule,
  type StructuralSchema,
  typedSchema,
} from './schema.ts';
