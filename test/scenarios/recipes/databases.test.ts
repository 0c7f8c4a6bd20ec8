import { followAll } from './follow-recipe.ts';
import { DATABASES } from './kitchens.ts';

followAll(DATABASES);
