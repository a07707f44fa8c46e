import { localStorageColorSchemeManager, type MantineColorScheme } from '@mantine/core';

/** Keeps the colour scheme under the key that public/boot.js reads before the first paint. */
export const schemeManager = localStorageColorSchemeManager({ key: 'belfry.scheme' });

export const schemes: readonly MantineColorScheme[] = ['auto', 'light', 'dark'];
