export xNAMEx=xVALUEx; T=3
echo "-- shell: declare -p --"; declare -p xNAMEx
echo "-- shell: export -p --"; export -p | grep xNAMEx
echo "-- shell: declare -A --"; declare -A M=([user]=ann [xNAMEx]=xVALUEx [timeout]=3); declare -p M
echo "-- shell: declare -a --"; L=(--user ann --xNAMEx xVALUEx --timeout 3); declare -p L
echo "-- shell: env --"; env | grep xNAMEx
echo "-- shell: set --"; set | grep ^xNAMEx
echo "-- shell: printf %q --"; printf '%q ' tool --xNAMEx=xVALUEx --timeout=3; echo
exec 2>&1
echo "-- shell: set -x of an assignment --"; set -x; xNAMEx=xVALUEx; { set +x; } 2>/dev/null
echo "-- shell: set -x of an export --"; set -x; export xNAMEx=xVALUEx; { set +x; } 2>/dev/null
echo "-- shell: set -x of a command --"; set -x; : tool --user ann --xNAMEx xVALUEx --timeout 3; { set +x; } 2>/dev/null
echo "-- shell: set -x of a header --"; set -x; : curl -H 'xNAMEx: xVALUEx' http://h.example/; { set +x; } 2>/dev/null
echo "-- shell: set -x with a variable before --"; set -x; xNAMEx=xVALUEx true tool; { set +x; } 2>/dev/null
echo "-- shell: set -x of a test --"; set -x; [ "$xNAMEx" = xVALUEx ]; { set +x; } 2>/dev/null
