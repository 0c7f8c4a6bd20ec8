import { tellAll } from './tell-all.ts';

tellAll(1);
