// Upstream: pkg/printers/internalversion/printers.go: printStorageVersion
import type { StorageVersion } from 'client-ts/api/apiserverinternal/v1alpha1';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { firstFew, UNSET } from '../../printers/texts.ts';

/** The table of StorageVersions. */
export const storageVersionPrinter: Printer<Printable<StorageVersion>> = printer([
  nameColumn(),
  column(
    'CommonEncodingVersion',
    'Version that all servers encode, if they agree',
    ({ status }) => status?.commonEncodingVersion ?? UNSET,
  ),
  column('StorageVersions', 'Version that each server encodes', ({ status }) => {
    const versions = (status?.storageVersions ?? []).map(
      ({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`,
    );
    return versions.length === 0 ? UNSET : firstFew(versions);
  }),
  ageColumn(),
]);
