import type * as core from 'client-ts/api/core/v1';
import { quoteGo } from 'client-ts/internal';
import type { Loose } from '../../../../validation/loose.ts';

interface PlacedPath {
  readonly path: string;
  readonly source: string;
}

/** Remarks about volumes in which one file would hide another. */
export function overlappingPathWarnings(volumes: readonly Loose<core.Volume>[]): string[] {
  return volumes.flatMap((volume) => {
    const { name = '', configMap, secret, downwardAPI, projected } = volume;
    const warn = (what: string, paths: readonly PlacedPath[]): string[] =>
      overlaps(paths).map(
        (overlap) => `volume ${quoteGo(name)} (${what}): overlapping paths: ${overlap}`,
      );
    return [
      ...warn(`ConfigMap ${quoteGo(configMap?.name ?? '')}`, pathsOf(configMap?.items)),
      ...warn(`Secret ${quoteGo(secret?.secretName ?? '')}`, pathsOf(secret?.items)),
      ...warn('DownwardAPI', pathsOf(downwardAPI?.items)),
      ...(projected?.sources ?? [])
        .filter((source) => Object.keys(source).length === 0)
        .map(() => `volume ${quoteGo(name)} (Projected) has no sources provided`),
      ...warn('Projected', (projected?.sources ?? []).flatMap(projectedPaths)),
    ];
  });
}

function pathsOf(
  items: readonly { path?: string }[] | undefined,
  source = '',
): readonly PlacedPath[] {
  return (items ?? []).map(({ path = '' }) => ({ path: withoutEndSlashes(path), source }));
}

/** A loop, because an expression would try every run of slashes from each of its slashes. */
function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function projectedPaths(projection: Loose<core.VolumeProjection>): readonly PlacedPath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = projection;
  if (configMap?.items) {
    return pathsOf(configMap.items, `ConfigMap ${quoteGo(configMap.name ?? '')}`);
  }
  if (secret?.items) return pathsOf(secret.items, `Secret ${quoteGo(secret.name ?? '')}`);
  if (downwardAPI?.items) return pathsOf(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken) return pathsOf([serviceAccountToken], 'ServiceAccountToken');
  if (clusterTrustBundle) {
    const name = clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? '';
    return pathsOf([clusterTrustBundle], `ClusterTrustBundle ${quoteGo(name)}`);
  }
  const { certificateChainPath, keyPath, credentialBundlePath } = projection.podCertificate ?? {};
  return [
    ...pathsOf(
      certificateChainPath ? [{ path: certificateChainPath }] : [],
      'PodCertificate chain',
    ),
    ...pathsOf(keyPath ? [{ path: keyPath }] : [], 'PodCertificate key'),
    ...pathsOf(
      credentialBundlePath ? [{ path: credentialBundlePath }] : [],
      'PodCertificate credential bundle',
    ),
  ];
}

function overlaps(paths: readonly PlacedPath[]): string[] {
  const print = ({ path, source }: PlacedPath): string =>
    source === '' ? quoteGo(path) : `${quoteGo(path)} (${source})`;
  return paths.flatMap((current, index) =>
    paths
      .slice(0, index)
      .filter((earlier) => hides(current.path, earlier.path))
      .map((earlier) => `${print(current)} with ${print(earlier)}`),
  );
}

function hides(path: string, other: string): boolean {
  if (path === '' || other === '') return false;
  return `${other}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other}/`);
}
