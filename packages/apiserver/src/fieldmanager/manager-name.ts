import type { ManagedFieldsEntry } from 'client-ts/meta';
import { type FieldError, invalid, tooLong } from '../validation/field-error.ts';

/** In bytes. */
const maxManagerLength = 128;
const maxSubresourceLength = 256;

const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/**
 * Who makes a request: the `fieldManager` parameter, or else the program in the User-Agent, which is
 * what stands before the first slash. `unknown` if neither tells.
 */
export function managerName(
  fieldManager: string | undefined,
  userAgent: string | undefined,
): string {
  const name = (fieldManager ?? '') === '' ? nameFromUserAgent(userAgent ?? '') : fieldManager;
  return name === undefined || name === '' ? 'unknown' : name;
}

function nameFromUserAgent(userAgent: string): string {
  const [program = ''] = userAgent.split('/', 1);
  let name = '';
  for (const character of program) {
    if (!printable.test(character)) continue;
    if (Buffer.byteLength(name + character) > maxManagerLength) break;
    name += character;
  }
  return name;
}

/** What is wrong with a `fieldManager` parameter; empty names are no error here. */
export function validateManagerName(name: string, field = 'fieldManager'): FieldError[] {
  const findings: FieldError[] = [];
  if (Buffer.byteLength(name) > maxManagerLength) findings.push(tooLong(field, maxManagerLength));
  let position = 0;
  for (const character of name) {
    if (!printable.test(character)) {
      const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      findings.push(invalid(field, name, `invalid character U+${point} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return findings;
}

/** What is wrong with the `managedFields` of an object; `field` is their own path. */
export function validateManagedFields(
  entries: readonly ManagedFieldsEntry[],
  field = 'metadata.managedFields',
): FieldError[] {
  return entries.flatMap((entry, index) => {
    const path = `${field}[${index}]`;
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
    const findings: FieldError[] = [];
    if (operation !== 'Apply' && operation !== 'Update') {
      findings.push(invalid(`${path}.operation`, operation, 'must be `Apply` or `Update`'));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      findings.push(invalid(`${path}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
    }
    findings.push(...validateManagerName(manager, `${path}.manager`));
    if (Buffer.byteLength(subresource) > maxSubresourceLength) {
      findings.push(tooLong(`${path}.subresource`, maxSubresourceLength));
    }
    return findings;
  });
}
