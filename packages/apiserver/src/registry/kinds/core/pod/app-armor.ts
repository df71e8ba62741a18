import type * as core from 'client-ts/api/core/v1';
import { getKey, jsonEqual } from 'client-ts/internal';
import type { Loose } from '../../../../validation/loose.ts';
import { APP_ARMOR_ANNOTATION } from '../../../../validation/pod/annotations.ts';
import { validateAppArmorProfile } from '../../../../validation/pod/security-context.ts';
import { visitContainers } from '../../../../validation/pod/visit-containers.ts';

type Profile = Loose<core.AppArmorProfile>;

const LOCALHOST = 'localhost/';

/** The field that says what an AppArmor annotation says; undefined if nothing does. */
export function appArmorProfileOf(annotation: string): Profile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(LOCALHOST)) return undefined;
  const localhostProfile = annotation.slice(LOCALHOST.length);
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}

/**
 * Moves AppArmor annotations of containers into the fields that replaced them. Calls `warn` with the
 * path of every annotation that somebody should stop using.
 */
export function applyAppArmorAnnotations(
  pod: Loose<core.Pod>,
  warn: (annotation: string) => void,
): void {
  const spec = pod.spec ?? {};
  if (spec.os?.name === 'windows') return;
  const podProfile = spec.securityContext?.appArmorProfile;
  for (const { container } of visitContainers(spec, 'spec')) {
    const key = `${APP_ARMOR_ANNOTATION}${container.name ?? ''}`;
    const annotation = getKey(pod.metadata?.annotations ?? {}, key);
    if (annotation === undefined) continue;
    if (container.securityContext?.appArmorProfile !== undefined) continue;
    const converted = appArmorProfileOf(annotation);
    const profile = validateAppArmorProfile(converted, '').length === 0 ? converted : undefined;
    if (profile !== undefined && jsonEqual(profile, podProfile)) continue;
    if (profile !== undefined) {
      container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    }
    warn(`metadata.annotations[${key}]`);
  }
}
