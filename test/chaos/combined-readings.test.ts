import { COMBINED } from './cases.ts';
import { tellAll } from './tell-all.ts';

tellAll('several readings at once', COMBINED);
