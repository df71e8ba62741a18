import { apiModulesGenerator } from './api-modules.ts';
import { apiRegistryGenerator } from './api-registry.ts';
import { clientsetGenerator } from './clientset.ts';
import {
  describeModel,
  loadDescribedModel,
  loadDescriptions,
  serverDescriptions,
} from './descriptions.ts';
import { errorsPage } from './errors-page.ts';
import type { Generator } from './generator.ts';
import { informersGenerator } from './informers.ts';
import { metaTypeTestGenerator } from './meta-type-test.ts';
import { loadApiModel, loadGoShapes } from './model.ts';
import { protobufTables } from './protobuf-tables.ts';
import { serverReleases } from './releases.ts';
import { serverModel } from './server-model.ts';

const model = loadApiModel();

/** Everything that `npm run generate` writes and `npm run check` compares with the repository. */
export const generators: readonly Generator[] = [
  apiModulesGenerator(describeModel(model, loadDescriptions(loadDescribedModel())), loadGoShapes()),
  apiRegistryGenerator(model),
  clientsetGenerator(model),
  await errorsPage(),
  informersGenerator(model),
  metaTypeTestGenerator(model),
  protobufTables,
  serverDescriptions,
  serverModel,
  serverReleases,
];
