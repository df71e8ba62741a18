import { describe } from 'node:test';

import { testManifests } from './test-manifests.ts';

describe('manifests', testManifests);
