import { writeFile } from 'node:fs/promises';
import { main } from './command/command.js';
import { OPERATOR_PATH, operatorDocument } from './console/operator-document.js';
import { ROUTE_TYPES_FILE, routeTypes } from './console/route-types.js';

main({
  purpose:
    'Writes the types of the routes for operators that the console uses, from the OpenAPI document of @tool-search/admin. ' +
    'A test fails when they differ.',
  options: {},
  run: async (): Promise<{ readonly file: string }> => {
    await writeFile(ROUTE_TYPES_FILE, routeTypes(await operatorDocument(), OPERATOR_PATH));
    return { file: ROUTE_TYPES_FILE };
  },
  text: ({ file }) => `wrote ${file}`,
});
