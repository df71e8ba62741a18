// Upstream: pkg/apis/core/validation/validation.go: validateProjectedVolumeSource
import type * as core from 'client-ts/api/core/v1';
import { validateDns1123Subdomain } from 'client-ts/meta';
import {
  requireFields,
  validateFileMode,
  validateNonReservedPath,
  validateOptionalChoice,
} from '../choices.ts';
import { type FieldError, forbidden, invalid, required, tooLong } from '../field-error.ts';
import { validateLabelSelector } from '../labels.ts';
import type { Loose } from '../loose.ts';
import { annotationsSize, maxAnnotationsSize } from '../names.ts';
import { validateDomainPrefixedKey, validateSignerName } from '../signer-name.ts';
import { validateFieldRef, validateResourceFieldRef, VOLUME_FIELD_PATHS } from './env.ts';

const TEN_MINUTES = 600;
const LONGEST_TOKEN_LIFE = 2 ** 32;
const KEY_TYPES = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const SHORTEST_CERTIFICATE_LIFE = 3600;
const LONGEST_CERTIFICATE_LIFE = 91 * 24 * 3600;
const LONGEST_KUBERNETES_CERTIFICATE_LIFE = 24 * 3600;

/** Checks the sources of a projected volume. Paths of different sources must not collide. */
export function validateProjectionSources(
  sources: readonly Loose<core.VolumeProjection>[],
  field: string,
): FieldError[] {
  const taken = new Set<string>();
  /** Reports a path that an earlier source already uses. */
  const claim = (path: string, shown: string): FieldError[] => {
    if (taken.has(path)) return [invalid(field, shown, 'conflicting duplicate paths')];
    taken.add(path);
    return [];
  };
  return sources.flatMap((source, index) => {
    const path = `${field}.sources[${index}]`;
    const count = Object.values(source).filter((part) => part !== undefined).length;
    return [
      ...validateKeys(source.secret, `${path}.secret`, claim),
      ...validateKeys(source.configMap, `${path}.configMap`, claim),
      ...(source.downwardAPI?.items ?? []).flatMap((file) => [
        ...validateDownwardAPIFile(file, `${path}.downwardAPI`),
        ...((file.path ?? '') === '' ? [] : claim(file.path ?? '', file.path ?? '')),
      ]),
      ...validateToken(source.serviceAccountToken, `${path}.serviceAccountToken`, field),
      ...validateTrustBundle(source.clusterTrustBundle, `${path}.clusterTrustBundle`, claim),
      ...validatePodCertificate(source.podCertificate, `${path}.podCertificate`, claim),
      ...(count > 1 ? [forbidden(path, 'may not specify more than 1 volume type per source')] : []),
    ];
  });
}

type Claim = (path: string, shown: string) => FieldError[];

function validateKeys(
  source: Loose<core.ConfigMapProjection | core.SecretProjection> | undefined,
  field: string,
  claim: Claim,
): FieldError[] {
  if (source === undefined) return [];
  const { name = '', items = [] } = source;
  return [
    ...(name === '' ? [required(`${field}.name`)] : []),
    ...validateKeysToPaths(items, `${field}.items`),
    ...items.flatMap(({ path = '' }) => (path === '' ? [] : claim(path, name))),
  ];
}

function validateToken(
  token: Loose<core.ServiceAccountTokenProjection> | undefined,
  field: string,
  volumeField: string,
): FieldError[] {
  if (token === undefined) return [];
  const { expirationSeconds = 0, path = '' } = token;
  const errors: FieldError[] = [];
  if (expirationSeconds < TEN_MINUTES) {
    const detail = 'may not specify a duration less than 10 minutes';
    errors.push(invalid(`${field}.expirationSeconds`, expirationSeconds, detail));
  }
  if (expirationSeconds > LONGEST_TOKEN_LIFE) {
    const detail = 'may not specify a duration larger than 2^32 seconds';
    errors.push(invalid(`${field}.expirationSeconds`, expirationSeconds, detail));
  }
  // kube-apiserver reports this path relative to the volume.
  return [
    ...errors,
    ...(path === ''
      ? [required(`${volumeField}.path`)]
      : validateNonReservedPath(path, `${volumeField}.path`)),
  ];
}

function validateTrustBundle(
  bundle: Loose<core.ClusterTrustBundleProjection> | undefined,
  field: string,
  claim: Claim,
): FieldError[] {
  if (bundle === undefined) return [];
  const { name, signerName, path = '' } = bundle;
  return [
    ...validateBundleReference({ name, signerName }, bundle, field),
    ...(path === '' ? [required(`${field}.path`)] : []),
    ...validateNonReservedPath(path, `${field}.path`),
    ...claim(path, path),
  ];
}

function validateBundleReference(
  { name, signerName }: { name: string | undefined; signerName: string | undefined },
  bundle: Loose<core.ClusterTrustBundleProjection>,
  field: string,
): FieldError[] {
  if (name !== undefined && signerName !== undefined) {
    return [invalid(field, bundle, 'only one of name and signerName may be used')];
  }
  if (name !== undefined) {
    return [
      ...(name === '' ? [required(`${field}.name`, 'must be a valid object name')] : []),
      ...validateBundleName(name).map((message) =>
        invalid(`${field}.name`, name, `not a valid clustertrustbundlename: ${message}`),
      ),
      ...(bundle.labelSelector === undefined
        ? []
        : [
            invalid(
              `${field}.labelSelector`,
              bundle.labelSelector,
              'labelSelector must be unset if name is specified',
            ),
          ]),
    ];
  }
  if (signerName !== undefined) {
    return [
      ...(signerName === ''
        ? [required(`${field}.signerName`, 'must be a valid signer name')]
        : []),
      ...validateSignerName(signerName, `${field}.signerName`),
      ...validateLabelSelector(bundle.labelSelector, `${field}.labelSelector`),
    ];
  }
  return [required(field, 'either name or signerName must be specified')];
}

/** Checks a bundle name: `signer:domain:path:name` with a signer, a plain name without. */
function validateBundleName(name: string): string[] {
  const colon = name.lastIndexOf(':');
  return validateDns1123Subdomain(colon === -1 ? name : name.slice(colon + 1));
}

function validatePodCertificate(
  certificate: Loose<core.PodCertificateProjection> | undefined,
  field: string,
  claim: Claim,
): FieldError[] {
  if (certificate === undefined) return [];
  const { signerName = '', keyType = '', userAnnotations = {} } = certificate;
  const paths = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;
  const given = paths.filter((name) => (certificate[name] ?? '') !== '');
  return [
    ...validateSignerName(signerName, `${field}.signerName`),
    ...Object.keys(userAnnotations).flatMap((key) =>
      validateDomainPrefixedKey(key.toLowerCase(), `${field}.userAnnotations`),
    ),
    ...(annotationsSize(userAnnotations) > maxAnnotationsSize
      ? [tooLong(`${field}.userAnnotations`, maxAnnotationsSize)]
      : []),
    ...validateOptionalChoice(keyType, KEY_TYPES, `${field}.keyType`),
    ...validateCertificateLife(certificate, `${field}.maxExpirationSeconds`),
    ...given.flatMap((name) => {
      const path = certificate[name] ?? '';
      return [...validateNonReservedPath(path, `${field}.${name}`), ...claim(path, path)];
    }),
    ...(given.length === 0
      ? [
          required(
            field,
            'specify at least one of credentialBundlePath, keyPath, and certificateChainPath',
          ),
        ]
      : []),
  ];
}

function validateCertificateLife(
  { maxExpirationSeconds, signerName = '' }: Loose<core.PodCertificateProjection>,
  field: string,
): FieldError[] {
  if (maxExpirationSeconds === undefined) return [];
  const isKubernetes = (signerName.split('/')[0] ?? '').endsWith('kubernetes.io');
  const longest = isKubernetes ? LONGEST_KUBERNETES_CERTIFICATE_LIFE : LONGEST_CERTIFICATE_LIFE;
  const bound = (sign: string, seconds: number): FieldError =>
    invalid(
      field,
      maxExpirationSeconds,
      `if provided, maxExpirationSeconds must be ${sign} ${seconds}`,
    );
  return [
    ...(maxExpirationSeconds < SHORTEST_CERTIFICATE_LIFE
      ? [bound('>=', SHORTEST_CERTIFICATE_LIFE)]
      : []),
    ...(maxExpirationSeconds > longest ? [bound('<=', longest)] : []),
  ];
}

/** Checks the items of a ConfigMap or Secret volume. */
export function validateKeysToPaths(
  items: readonly Loose<core.KeyToPath>[],
  field: string,
): FieldError[] {
  return items.flatMap((item, index) => validateKeyToPath(item, `${field}[${index}]`));
}

function validateKeyToPath(item: Loose<core.KeyToPath>, field: string): FieldError[] {
  return [
    ...requireFields(item, field, ['key', 'path']),
    ...validateNonReservedPath(item.path ?? '', `${field}.path`),
    ...validateFileMode(item.mode, `${field}.mode`),
  ];
}

/** Checks a downward API file. */
export function validateDownwardAPIFile(
  file: Loose<core.DownwardAPIVolumeFile>,
  field: string,
): FieldError[] {
  const { path = '', fieldRef, resourceFieldRef, mode } = file;
  const errors: FieldError[] = [
    ...(path === '' ? [required(`${field}.path`)] : []),
    ...validateNonReservedPath(path, `${field}.path`),
  ];
  if (fieldRef !== undefined) {
    errors.push(...validateFieldRef(fieldRef, VOLUME_FIELD_PATHS, `${field}.fieldRef`));
    if (resourceFieldRef !== undefined) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      errors.push(invalid(field, 'resource', detail));
    }
  } else if (resourceFieldRef !== undefined) {
    errors.push(...validateResourceFieldRef(resourceFieldRef, `${field}.resourceFieldRef`, true));
  } else {
    errors.push(required(field, 'one of fieldRef and resourceFieldRef is required'));
  }
  return [...errors, ...validateFileMode(mode, `${field}.mode`)];
}
