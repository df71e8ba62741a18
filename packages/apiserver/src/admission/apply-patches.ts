import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import { ApiError } from 'client-ts/meta';
import type { PatchStruct } from '../cel/library/patches.ts';
import { type CelList, Failure } from '../cel/values.ts';
import { type FieldType, fieldTypeOf } from '../fieldmanager/field-type.ts';
import { ListItemError } from '../fieldmanager/list-item.ts';
import { merge } from '../fieldmanager/merge.ts';
import { fieldElement, formatElement } from '../fieldmanager/path-element.ts';
import { validateConfig } from '../fieldmanager/validate.ts';
import { applyJsonPatch, JsonPatchError } from '../patch/json-patch.ts';
import type { AdmissionCodec, AdmissionForm } from './attributes.ts';
import { configurationOf, misnamedTypes, operationsOf } from './patch-values.ts';

/**
 * Merges the configuration that a mutation makes into an object, as a server-side apply without an
 * owner. Returns a failure if it does not fit the schema, or would replace something as a whole.
 */
export function applyConfiguration(
  value: PatchStruct,
  object: JsonObject,
  codec: AdmissionCodec,
  form: AdmissionForm,
): Failure | JsonObject {
  const names = misnamedTypes(value, [value.type.name]);
  if (names.length > 0) return new Failure(`type mismatch: ${names.join('\n')}`);
  const { group, version, kind } = form.kind;
  // The only subresource with a kind of its own whose schema a real server does not find.
  if (kind === 'Scale' && group === 'autoscaling') {
    return untyped(`no corresponding type for ${group}/${version}, Kind=${kind}`);
  }
  const type = fieldTypeOf(codec.typeOf(form).schema);
  const converted = configurationOf(value, type);
  if (converted instanceof Failure) return converted;
  const config = {
    ...converted,
    apiVersion: object['apiVersion'] ?? null,
    kind: object['kind'] ?? null,
  };
  const problem = validateConfig(config, type);
  if (problem !== undefined) return untyped(problem);
  const atomics = atomicParts(config, type, '');
  if (atomics.length > 0) {
    return refused(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`,
    );
  }
  try {
    return codec.decode(merge(object, config, type), form);
  } catch (error) {
    if (error instanceof ListItemError) return refused(`failed to merge patch: ${error.message}`);
    if (error instanceof ApiError) return new Failure(misfit(error, form));
    throw error;
  }
}

function untyped(problem: string): Failure {
  return refused(`failed to convert patch object to typed object: ${problem}`);
}

function refused(message: string): Failure {
  return new Failure(`error applying patch: ${message}`);
}

/** The words of a real server for an object whose fields do not fit their types any more. */
function misfit({ status: { details, message = '' } }: ApiError, { kind }: AdmissionForm): string {
  const problem = details?.causes?.[0]?.message ?? message;
  const group = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  const [, type] =
    /^json: cannot unmarshal number -?[0-9]*\.[0-9]+ into .* of type (u?int\d+)$/.exec(problem) ??
    [];
  const detail = type === undefined ? problem : `cannot convert float64 to ${type}`;
  return `unable to convert unstructured object to ${group}, Kind=${kind.kind}: ${detail}`;
}

/** Returns the paths of what is set in a configuration and is owned as a whole. */
function atomicParts(value: JsonValue, type: FieldType, path: string): string[] {
  if (isJsonObject(value) && type.map !== undefined) {
    const { fields, atomic } = type.map;
    return [
      ...(atomic ? [path] : []),
      ...Object.entries(value).flatMap(([name, part = null]) => {
        const field = fields.get(name);
        const step = path + formatElement(fieldElement(name));
        return field === undefined ? [] : atomicParts(part, field.type, step);
      }),
    ];
  }
  if (Array.isArray(value) && type.list !== undefined) {
    const { item, atomic } = type.list;
    return [
      ...(atomic ? [path] : []),
      ...value.flatMap((part, index) => atomicParts(part, item, `${path}[${index}]`)),
    ];
  }
  return [];
}

/** Applies the JSON patch that a mutation makes. A test that fails leaves the object as it is. */
export function applyOperations(
  list: CelList,
  object: JsonObject,
  codec: AdmissionCodec,
  form: AdmissionForm,
): Failure | JsonObject {
  const operations = operationsOf(list);
  if (operations instanceof Failure) return operations;
  try {
    return codec.decode(applyJsonPatch(object, operations), form, { isStrict: true });
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    if (error.code === 'APISERVER_JSON_PATCH_TEST_FAILED') return object;
    return new Failure(`JSON Patch: ${error.message}`);
  }
}
