import { followAll } from './follow-recipe.ts';
import { WEB_SERVICES } from './web-services.ts';

followAll(WEB_SERVICES);
