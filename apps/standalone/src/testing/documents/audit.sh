svc env create demo
svc principal create ann --type person
SVC_TOKEN=$(svc token issue ann laptop) svc env get demo && exit 1
true
