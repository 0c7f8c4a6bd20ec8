import { followAll } from './follow-recipe.ts';
import { DIRECTORIES } from './kitchens.ts';

followAll(DIRECTORIES);
