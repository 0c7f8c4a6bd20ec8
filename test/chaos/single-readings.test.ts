import { SINGLE } from './cases.ts';
import { tellAll } from './tell-all.ts';

tellAll('each reading alone', SINGLE);
