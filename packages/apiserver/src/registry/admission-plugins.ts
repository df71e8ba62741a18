import { OptionError } from 'client-ts/meta';

/** The admission plugins that can be switched. */
const ADMISSION_PLUGINS = [
  'DefaultIngressClass',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'LimitRanger',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'PodSecurity',
  'Priority',
  'ResourceQuota',
  'RuntimeClass',
  'ServiceAccount',
  'StorageObjectInUseProtection',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
] as const;

/** An admission plugin that can be switched, by the name that kube-apiserver gives it. */
export type AdmissionPlugin = (typeof ADMISSION_PLUGINS)[number];

/** Admission plugins to switch on, or off with a `-` before the name. */
export type AdmissionPluginSelection = readonly (AdmissionPlugin | `-${AdmissionPlugin}`)[];

/** On only if asked for. */
const OFF_BY_DEFAULT: ReadonlySet<string> = new Set<AdmissionPlugin>(['ServiceAccount']);

/** What the server always does. */
const ALWAYS_ON: readonly string[] = [
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'NamespaceLifecycle',
  'NodeDeclaredFeatureValidator',
  'PersistentVolumeClaimResize',
  'PodResizeValidator',
  'PodTopologyLabels',
  'TaintNodesByCondition',
];

/** What kube-apiserver has and this server does not. */
const MISSING: readonly string[] = [
  'AlwaysAdmit',
  'AlwaysDeny',
  'AlwaysPullImages',
  'ClusterTrustBundleAttest',
  'DenyServiceExternalIPs',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'ImagePolicyWebhook',
  'JobValidation',
  'LimitPodHardAntiAffinityTopology',
  'NamespaceAutoProvision',
  'NamespaceExists',
  'NodeRestriction',
  'OwnerReferencesPermissionEnforcement',
  'PodGroupProtection',
  'PodGroupWorkloadExists',
  'PodNodeSelector',
  'PodTolerationRestriction',
];

/**
 * Reads `--enable-admission-plugins` and `--disable-admission-plugins` of kube-apiserver: names,
 * separated by commas. Throws an `OptionError` for a name that does not exist, and for a plugin
 * that this server does not have or cannot do without.
 */
export function parseAdmissionPlugins(enabled: string, disabled: string): AdmissionPluginSelection {
  const on = namesIn(enabled);
  const off = namesIn(disabled);
  for (const name of on) {
    if (off.includes(name)) {
      throw new OptionError('admissionPlugins', `${quoted(name)} is both enabled and disabled`);
    }
  }
  const selection = [...on, ...off.map((name) => `-${name}`)];
  selectedPlugins(selection);
  const isSwitched = (entry: string): boolean => isPlugin(entry.replace(/^-/, ''));
  return selection.filter(isSwitched) as unknown as AdmissionPluginSelection;
}

/** Returns the plugins that a selection leaves on. Throws an `OptionError`. */
export function selectedPlugins(selection: readonly string[]): ReadonlySet<AdmissionPlugin> {
  for (const entry of selection) checkEntry(entry);
  return new Set(
    ADMISSION_PLUGINS.filter(
      (name) =>
        !selection.includes(`-${name}`) && (!OFF_BY_DEFAULT.has(name) || selection.includes(name)),
    ),
  );
}

function checkEntry(entry: string): void {
  const isOff = entry.startsWith('-');
  const name = isOff ? entry.slice(1) : entry;
  if (isPlugin(name)) return;
  if (ALWAYS_ON.includes(name)) {
    if (!isOff) return;
    throw new OptionError('admissionPlugins', `${quoted(name)} cannot be switched off`);
  }
  if (MISSING.includes(name)) {
    if (isOff) return;
    throw new OptionError('admissionPlugins', `this server does not have ${quoted(name)}`);
  }
  throw new OptionError(
    'admissionPlugins',
    `there is no admission plugin ${quoted(name)}; these can be switched: ${ADMISSION_PLUGINS.join(', ')}`,
  );
}

function isPlugin(name: string): name is AdmissionPlugin {
  return (ADMISSION_PLUGINS as readonly string[]).includes(name);
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
