// Loaded before the container's program: it too is held to its role.

import { assumeProcessRole } from './role-enforcement.ts'

assumeProcessRole('container')
