// Upstream: pkg/apis/core/v1/defaults.go: SetDefaults_Secret
// Upstream: pkg/apis/core/v1/conversion.go: Convert_v1_Secret_To_core_Secret
// Upstream: pkg/apis/core/validation/validation.go: ValidateSecret, ValidateSecretUpdate
// Upstream: pkg/registry/core/secret/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printSecret
import { createPrivateKey, X509Certificate } from 'node:crypto';

import type * as core from 'client-ts/api/core/v1';
import { getKey, isJsonObject } from 'client-ts/internal';
import { JsonSyntaxError } from '../../../schema/json-parser.ts';
import { parseJson, plainJson } from '../../../schema/parse-json.ts';
import {
  type FieldError,
  invalid,
  invalidEach,
  required,
  tooLong,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { validateConfigMapKey } from '../../../validation/names.ts';
import { immutable, metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';
import { base64Size, MAX_DATA_SIZE, sizeOf, validateImmutable } from './config-map.ts';

type Secret = Loose<core.Secret>;

const SERVICE_ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const meta = metaValidator({ namespaced: true });

/** Rules of Secrets. The type decides which keys are required. */
export const secretStrategy: Strategy<Secret> = {
  setDefaults: (secret) => {
    secret.type ||= 'Opaque';
    mergeStringData(secret);
  },
  validate,
  validateUpdate: (secret, old) => [
    ...meta.update(secret, old),
    ...immutable(secret.type ?? '', old.type ?? '', 'type'),
    ...validateImmutable(secret, old, ['data']),
    ...validate(secret),
  ],
  warnings: tlsWarnings,
  selectableFields: ({ type = '' }) => ({ type }),
  selectableFieldNames: ['type', 'metadata.namespace', 'metadata.name'],
  generation: 'none',
};

/** Moves `stringData`, which is write-only, into `data`; it wins over existing keys. */
function mergeStringData(secret: Secret): void {
  if (secret.stringData === undefined) return;
  const encoded = Object.entries(secret.stringData).map(
    ([key, text]) => [key, Buffer.from(text).toString('base64')] as const,
  );
  if (encoded.length > 0) secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
  delete secret.stringData;
}

function validate(secret: Secret): FieldError[] {
  const { data = {} } = secret;
  return [
    ...meta.create(secret),
    ...Object.keys(data).flatMap((key) =>
      invalidEach(`data[${key}]`, key, validateConfigMapKey(key)),
    ),
    ...(base64Size(data) > MAX_DATA_SIZE ? [tooLong('data', MAX_DATA_SIZE)] : []),
    ...validateType(secret, data),
  ];
}

function validateType(secret: Secret, data: Readonly<Record<string, string>>): FieldError[] {
  const requireKeys = (...keys: string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));
  switch (secret.type) {
    case 'kubernetes.io/service-account-token':
      return (secret.metadata?.annotations?.[SERVICE_ACCOUNT_NAME] ?? '') === ''
        ? [required(`metadata.annotations[${SERVICE_ACCOUNT_NAME}]`)]
        : [];
    case 'kubernetes.io/dockercfg':
      return validateJson(data, '.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return validateJson(data, '.dockerconfigjson');
    case 'kubernetes.io/basic-auth':
      return data['username'] === undefined && data['password'] === undefined
        ? requireKeys('username', 'password')
        : [];
    case 'kubernetes.io/ssh-auth':
      return (data['ssh-privatekey'] ?? '') === '' ? [required('data[ssh-privatekey]')] : [];
    case 'kubernetes.io/tls':
      return requireKeys('tls.crt', 'tls.key');
    default:
      return [];
  }
}

/** Checks that a value is JSON, without quoting it in the message. */
function validateJson(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const encoded = getKey(data, key);
  if (encoded === undefined) return [required(`data[${key}]`)];
  const problem = jsonProblem(Buffer.from(encoded, 'base64').toString());
  return problem === undefined
    ? []
    : [invalid(`data[${key}]`, '<secret contents redacted>', problem)];
}

function jsonProblem(text: string): string | undefined {
  try {
    const value = plainJson(parseJson(text));
    if (isJsonObject(value) || value === null) return undefined;
    const found = Array.isArray(value)
      ? 'array'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value;
    return `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}

function tlsWarnings({ type, data = {} }: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const problem = keyPairProblem(decoded(data['tls.crt']), decoded(data['tls.key']));
  return problem === undefined ? [] : [problem];
}

function decoded(text = ''): string {
  return Buffer.from(text, 'base64').toString();
}

function keyPairProblem(certificate: string, key: string): string | undefined {
  if (!certificate.includes('-----BEGIN CERTIFICATE-----')) {
    return 'tls: failed to find any PEM data in certificate input';
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key)) {
    return 'tls: failed to find any PEM data in key input';
  }
  try {
    const matches = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    return matches ? undefined : 'tls: private key does not match public key';
  } catch {
    return 'tls: failed to parse private key';
  }
}

/** The table of Secrets, which shows no values. */
export const secretPrinter: Printer<Printable<Secret>> = printer([
  nameColumn(),
  column('Type', 'Type of the secret', ({ type }) => type ?? ''),
  column('Data', 'Number of keys', ({ data }) => sizeOf(data)),
  ageColumn(),
]);
