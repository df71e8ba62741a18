import { loadModel } from '../schema/model.ts';

/** `GET /version`: the release of Kubernetes whose API this server speaks. */
export function versionInfo(): object {
  const release = loadModel().kubernetes;
  const [major = '', minor = ''] = release.split('.');
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${release}`,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'client-ts',
    platform: `${process.platform}/${process.arch}`,
  };
}
